import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';

/*
 * Decorators that put something around a handler, instead of being interceptors: each interceptor costs as much as a
 * third of an empty route (RxJS), and every request would pay for it.
 */

export type Handler = (...args: unknown[]) => unknown;

/** Puts a function in a handler's place, under its name; what other decorators have noted on it goes along. */
export function wrapHandler(descriptor: PropertyDescriptor, wrap: (handler: Handler) => Handler): void {
  const handler = descriptor.value as Handler;
  const wrapper = Object.defineProperty(wrap(handler), 'name', { value: handler.name });
  for (const key of Reflect.getMetadataKeys(handler) as unknown[]) {
    Reflect.defineMetadata(key, Reflect.getMetadata(key, handler), wrapper);
  }
  descriptor.value = wrapper;
}

/** Hands a handler one argument more than it has up to now, and says at which place. */
export function addArgument(decorator: ParameterDecorator, target: object, name: string | symbol): number {
  const index = argumentsOf(target, name).length;
  decorator(target, name, index);
  return index;
}

/** The arguments that a handler's decorators declare, each as `<kind>:<index>`. */
export function argumentsOf(target: object, name: string | symbol): string[] {
  const declared = Reflect.getMetadata(ROUTE_ARGS_METADATA, target.constructor, name) as object | undefined;
  return Object.keys(declared ?? {});
}

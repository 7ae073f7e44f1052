import { Injectable, RequestMethod, type OnModuleInit } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { ProblemCode } from '@agentflow/contracts';
import { PROBLEM_CODES } from '../http/answers.js';
import { CARRIED_OUT_ONCE } from '../idempotency/post-once.decorator.js';
import { UNDER_LEASE } from '../runs/under-lease.decorator.js';
import { ACCESS, type Access } from './allow.decorator.js';
import { hasSight } from './visibility.js';

/** One door: what it listens to and who may come in. */
export interface Route {
  method: string;
  /** With `:name` for each parameter. */
  path: string;
  access: Access;
  /** The refusals that are particular to this door. */
  problems: readonly ProblemCode[];
  /** Whether the holder of a run's lease may name it in a header. */
  isUnderLease: boolean;
  handler: string;
}

/**
 * All doors, as the controllers declare them. A door that does not say who may come in, one that names in its path
 * what no rule of sight covers, and a POST that takes no idempotency key keep the product from starting.
 */
@Injectable()
export class RouteCatalogue implements OnModuleInit {
  readonly routes: Route[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit(): void {
    for (const { metatype, instance } of this.discovery.getControllers()) {
      if (!metatype || !instance) continue;
      const prefix = this.reflector.get<string>(PATH_METADATA, metatype);
      const prototype = Object.getPrototypeOf(instance) as object;
      for (const name of this.scanner.getAllMethodNames(prototype)) {
        const handler = (prototype as Record<string, () => unknown>)[name] as () => unknown;
        const method = this.reflector.get<RequestMethod | undefined>(METHOD_METADATA, handler);
        if (method === undefined) continue;
        this.routes.push(this.describe(`${metatype.name}.${name}`, handler, prefix, RequestMethod[method]));
      }
    }
  }

  private describe(name: string, handler: () => unknown, prefix: string, method: string): Route {
    const access = this.reflector.get<Access | undefined>(ACCESS, handler);
    if (!access) throw new Error(`${name} does not say who may call it: give it @Allow or @Public`);
    if (method === 'POST' && !this.reflector.get<boolean | undefined>(CARRIED_OUT_ONCE, handler)) {
      throw new Error(`${name} takes no Idempotency-Key: declare it with @PostOnce`);
    }
    const path = `/${prefix}/${this.reflector.get<string>(PATH_METADATA, handler)}`
      .replaceAll(/\/+/g, '/')
      .replace(/(.)\/$/, '$1');
    if (access.kind === 'permission') refuseUnseen(name, path);
    const problems = this.reflector.get<ProblemCode[] | undefined>(PROBLEM_CODES, handler) ?? [];
    const isUnderLease = this.reflector.get<true | undefined>(UNDER_LEASE, handler) === true;
    return { method, path, access, problems, isUnderLease, handler: name };
  }
}

/** What a path names has to have a rule of sight: without one, a missing role could not be told from a missing thing. */
function refuseUnseen(name: string, path: string): void {
  const parameters = [...path.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter as string);
  const unseen = parameters.find((parameter) => !hasSight(parameter));
  if (unseen !== undefined) {
    throw new Error(`${name} names :${unseen} in its path: say in visibility.ts who sees that`);
  }
}

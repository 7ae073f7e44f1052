import { Body as NestBody, type PipeTransform } from '@nestjs/common';

class AsItCame implements PipeTransform {
  transform(value: unknown): unknown {
    return value;
  }
}

/** The body as it came in (`ReceivedBody`), for a handler that reads it by itself; nothing for a request without one. */
export const RawBody = (): ParameterDecorator => NestBody(new AsItCame());

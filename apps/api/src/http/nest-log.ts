import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Nest's own messages in the product's log; what it says while it starts is not worth a line. */
export class NestLog implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(): void {}

  error(message: unknown, ...context: unknown[]): void {
    // What keeps the application from listening is thrown as well, and told to the person who started it.
    if (context.at(-1) === 'NestApplication') return;
    this.logger.error({ nest: context.map(String) }, String(message));
  }

  warn(message: unknown): void {
    this.logger.warn(String(message));
  }

  debug(): void {}

  verbose(): void {}
}

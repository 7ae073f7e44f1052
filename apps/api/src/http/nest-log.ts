import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Nest's own messages in the product's log; what it says while it starts is not worth a line. */
export class NestLog implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(): void {}

  error(message: unknown, ...context: unknown[]): void {
    this.logger.error({ nest: context.map(String) }, String(message));
  }

  warn(message: unknown): void {
    this.logger.warn(String(message));
  }

  debug(): void {}

  verbose(): void {}
}

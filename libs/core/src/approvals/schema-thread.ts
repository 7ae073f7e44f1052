import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { checkSchemas, type SchemaMistakes, type SchemaQuestion } from './check-schemas.js';

/**
 * How long a schema may be worked on, in milliseconds. It comes from whoever asks, and few bytes can ask for years of
 * work: by an expression that backtracks, or by references that double.
 */
const PATIENCE_MS = 500;

const resolve = createRequire(import.meta.url).resolve;

/** By its text, and not by its file: from its sources the product runs by other means than threads know. */
const TEXT = `(${checkSchemas.toString()})(
  require('node:worker_threads').parentPort,
  require(${JSON.stringify(resolve('ajv/dist/2020.js'))}),
  require('node:vm'),
  ${PATIENCE_MS},
)`;

/**
 * One thread of the process in which schemas are compiled and answers held against them, whatever they ask for: meanwhile the
 * process goes on. It begins with the first question.
 */
class SchemaThread {
  private worker: Worker | undefined;
  private readonly waiting: ((mistakes: SchemaMistakes) => void)[] = [];

  /** What a schema comes to; each question has its own patience, and waits for those before it. */
  ask(question: SchemaQuestion): Promise<SchemaMistakes> {
    return new Promise((answer) => {
      this.waiting.push(answer);
      this.worker ??= this.begun();
      this.worker.postMessage(question);
    });
  }

  private begun(): Worker {
    const worker = new Worker(TEXT, { eval: true });
    worker.on('message', (mistakes: SchemaMistakes) => this.waiting.shift()?.(mistakes));
    // It keeps no process from ending.
    worker.unref();
    return worker;
  }
}

export const schemaThread = new SchemaThread();

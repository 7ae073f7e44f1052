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

/** What the largest schema and answer take many times over, in MiB. */
const MEMORY_MB = 256;

/**
 * One thread of the process in which schemas are compiled and answers held against them, whatever they ask for: meanwhile the
 * process goes on. It begins with the first question, and anew when one of them has taken more memory than there is.
 */
export class SchemaThread {
  private worker: Worker | undefined;
  private waiting: { question: SchemaQuestion; answer: (mistakes: SchemaMistakes) => void }[] = [];

  constructor(private readonly memoryMb = MEMORY_MB) {}

  /** What a schema comes to; each question has its own patience, and waits for those before it. */
  ask(question: SchemaQuestion): Promise<SchemaMistakes> {
    return new Promise((answer) => {
      this.waiting.push({ question, answer });
      this.worker ??= this.begun();
      this.worker.postMessage(question);
    });
  }

  private begun(): Worker {
    const worker = new Worker(TEXT, {
      eval: true,
      resourceLimits: { maxOldGenerationSizeMb: this.memoryMb },
    });
    worker.on('message', (mistakes: SchemaMistakes) => this.waiting.shift()?.answer(mistakes));
    // It is told by its end, too, which is what counts.
    worker.on('error', () => undefined);
    worker.on('exit', () => this.beginAnew());
    // It keeps no process from ending.
    worker.unref();
    return worker;
  }

  /** Whose question ended the thread has an answer; the others ask again. */
  private beginAnew(): void {
    const [guilty, ...others] = this.waiting;
    this.worker = undefined;
    this.waiting = [];
    guilty?.answer(undefined);
    for (const { question, answer } of others) void this.ask(question).then(answer);
  }
}

export const schemaThread = new SchemaThread();

import { LangfuseSpanProcessor } from '@langfuse/otel';
import { propagateAttributes, startActiveObservation, startObservation } from '@langfuse/tracing';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

const provider = new NodeTracerProvider({ spanProcessors: [new LangfuseSpanProcessor()] });
provider.register();

const question = [{ role: 'user', content: 'Is there cheese?' }];
const model = 'fake-small';

await propagateAttributes({ sessionId: 'thread-1', userId: 'user-1', tags: ['cheese'] }, () =>
  startActiveObservation(
    'searcher',
    async (agent) => {
      agent.update({ input: question });
      const asked = startObservation('decide', { model, input: question }, { asType: 'generation' });
      asked.update({
        output: { role: 'assistant', content: 'I shall search.' },
        usageDetails: { input: 11, output: 7 },
        costDetails: { total: 0.0025 },
      });
      asked.end();
      const search = startObservation('search', { input: { query: 'cheese' } }, { asType: 'tool' });
      search.update({ output: 'found cheese' }).end();
      const boom = startObservation('boom', { input: { query: 'glass' } }, { asType: 'tool' });
      boom.update({ level: 'ERROR', statusMessage: 'the tool broke' }).end();
      const answered = startObservation('answer', { model, input: question }, { asType: 'generation' });
      const output = { role: 'assistant', content: 'There is cheese.' };
      answered.update({ output, usageDetails: { input: 20, output: 5 } }).end();
      agent.update({ output });
      console.log(output.content);
    },
    { asType: 'agent' },
  ),
);

await provider.shutdown();

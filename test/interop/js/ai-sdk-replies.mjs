const used = (input, output) => ({
  inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: output, text: output, reasoning: undefined },
});
const call = (toolCallId, toolName, query) => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  input: JSON.stringify({ query }),
});

/** What the mock models of the AI SDK reply, in the form that its versions 6 and 7 have in common. */
export const replies = [
  {
    content: [call('call_1', 'search', 'cheese'), call('call_2', 'boom', 'glass')],
    finishReason: { unified: 'tool-calls', raw: undefined },
    usage: used(11, 7),
    warnings: [],
  },
  {
    content: [{ type: 'text', text: 'There is cheese.' }],
    finishReason: { unified: 'stop', raw: undefined },
    usage: used(20, 5),
    warnings: [],
  },
];

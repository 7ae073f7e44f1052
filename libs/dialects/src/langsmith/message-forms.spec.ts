import { RawJson } from '@agentflow/domain';
import { describe, expect, it } from '@jest/globals';
import { conversationOf } from './conversation.js';
import { messageOf } from './message-forms.js';

const json = (value: unknown): RawJson => RawJson.trusted(JSON.stringify(value));
const spoken = (value: unknown): unknown => {
  const message = messageOf(json(value));
  return message && [message.role, message.content];
};

describe('the forms of a message', () => {
  it('All that LangChain and OpenAI write are read', () => {
    const constructed = (name: string, kwargs: object): object => ({
      lc: 1,
      type: 'constructor',
      id: ['langchain_core', 'messages', name],
      kwargs,
    });
    expect(spoken(constructed('HumanMessage', { content: 'hi' }))).toEqual(['user', 'hi']);
    expect(spoken(constructed('AIMessageChunk', { content: 'hi' }))).toEqual(['assistant', 'hi']);
    expect(spoken(constructed('ChatMessage', { content: 'hi', role: 'system' }))).toEqual(['system', 'hi']);
    expect(spoken({ type: 'tool', content: 'x' })).toEqual(['tool', 'x']);
    expect(spoken({ type: 'AIMessageChunk', content: 'x' })).toEqual(['assistant', 'x']);
    expect(spoken({ type: 'human', data: { content: 'x' } })).toEqual(['user', 'x']);
    expect(spoken({ role: 'developer', content: null })).toEqual(['developer', null]);
    expect(spoken(['human', 'x'])).toEqual(['user', 'x']);
    expect(spoken('x')).toEqual(['user', 'x']);
    for (const none of [
      1,
      null,
      [],
      {},
      ['a', 'b', 'c'],
      { type: '__proto__' },
      { type: 'constructor', id: 1 },
    ]) {
      expect([none, spoken(none)]).toEqual([none, undefined]);
    }
  });

  it('Parts of text are joined, others are kept as they were sent, and so are the calls of tools', () => {
    const image = { type: 'image_url', image_url: { url: 'u' } };
    const content = [{ type: 'text', text: 'a' }, 'b', image];
    const message = messageOf(json({ type: 'ai', content, additional_kwargs: { tool_calls: [{ id: 1 }] } }));
    expect([message?.content, message?.parts.map(({ text }) => text), message?.toolCalls?.text]).toEqual([
      'ab',
      [JSON.stringify(image)],
      '[{"id":1}]',
    ]);
    expect(messageOf(json({ type: 'ai', content: [image], tool_calls: [] }))).toMatchObject({
      content: null,
      toolCalls: undefined,
    });
  });

  it('What a model answers with is a message, in the words of either', () => {
    const answers = (outputs: unknown): unknown =>
      conversationOf(json({ messages: ['q'] }), json(outputs)).map(({ content, isInput }) => [
        content,
        isInput,
      ]);
    const message = { type: 'ai', content: 'a' };
    for (const outputs of [
      { messages: [message] },
      { generations: [[{ message }]] },
      { generations: [{ message }] },
      { choices: [{ message: { role: 'assistant', content: 'a' } }] },
      { output: message },
      message,
    ]) {
      expect(answers(outputs)).toEqual([
        ['q', true],
        ['a', false],
      ]);
    }
  });

  it('What came out has no place before it is known what went in', () => {
    const outputs = json({ messages: [{ type: 'ai', content: 'a' }] });
    expect(conversationOf(undefined, outputs)).toEqual([]);
    expect(conversationOf(null, outputs).length).toBe(1);
  });

  it('A conversation that says one thing over and over is placed in linear time', () => {
    const same = Array(20_000).fill('ok');
    const placed = conversationOf(
      json({ messages: [...same, 'x', ...same] }),
      json({ messages: [...same, ...same] }),
    );
    expect(placed.length).toBe(60_001);
  });
});

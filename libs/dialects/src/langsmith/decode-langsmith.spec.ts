import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { decodeLangsmithBatch, decodeLangsmithRun } from './decode-batch.js';
import { decodeLangsmithMultipart } from './decode-multipart.js';
import { packLangsmith, runIdOfLangsmith, unpackLangsmith } from './record.js';

const ROOT = '01a227e7-f3ca-74d0-b648-57097642999c';
const CHILD = '01a227e7-f3ca-74d0-b648-000000000001';

const aBody = (parts: Record<string, string | Buffer>): Buffer =>
  Buffer.concat([
    ...Object.entries(parts).flatMap(([name, content]) => [
      Buffer.from(
        `--b\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: text/plain\r\n\r\n`,
      ),
      Buffer.from(content as string),
      Buffer.from('\r\n'),
    ]),
    Buffer.from('--b--\r\n'),
  ]);
const decoded = (parts: Record<string, string | Buffer>) => {
  const reading = decodeLangsmithMultipart(aBody(parts), 'b');
  if (!reading.ok) throw new Error(reading.detail);
  return reading;
};
const fixture = (file: string) => {
  const body = readFileSync(new URL(`../../../../test/fixtures/drop-in/${file}`, import.meta.url));
  return decodeLangsmithMultipart(body, body.toString('latin1').slice(2, body.indexOf('\r\n')));
};
const textIn = (record: { members: ReadonlyMap<string, { text: string }> } | undefined, name: string) =>
  record?.members.get(name)?.text;

describe('what LangSmith’s reporters send', () => {
  it.each([
    ['langsmith-js.multipart', 22],
    ['langsmith-py.multipart', 10],
  ])('All of a captured request of %s is taken', (file, count) => {
    const reading = fixture(file);
    expect(reading).toMatchObject({ ok: true, refused: [] });
    const records = reading.ok ? reading.records : [];
    expect(records.length).toBe(count);
    expect(new Set(records.map(runIdOfLangsmith)).size).toBe(1);
    expect(unpackLangsmith(packLangsmith(records))).toEqual(records);
  });

  it('Payloads are kept digit for digit, hostile names and repeated ones among them, and again after packing', () => {
    const inputs = '{"n":12345678901234567890.10,"__proto__":{"x":1},"a":1,"a":2,"constructor":"é🎉"}';
    const { records } = decoded({ [`post.${ROOT}`]: '{"__proto__":1e2}', [`post.${ROOT}.inputs`]: inputs });
    for (const record of [records[0], unpackLangsmith(packLangsmith(records))[0]]) {
      expect([textIn(record, 'inputs'), textIn(record, '__proto__')]).toEqual([inputs, '1e2']);
    }
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it('A part that cannot be kept is refused by itself', () => {
    const deep = '['.repeat(65) + ']'.repeat(65);
    const { records, refused } = decoded({
      [`post.${ROOT}`]: `{"name":"kept","tags":["\\u0000"]}`,
      [`post.${ROOT}.inputs`]: deep,
      [`post.${ROOT}.outputs`]: '{"a":"\\ud800"}',
      [`post.${ROOT}.extra`]: 'NaN',
      [`post.${ROOT}.error`]: Buffer.from([0x22, 0xff, 0x22]),
      [`post.${ROOT}.events`]: 'whatever',
      [`post.${ROOT}.more`]: '1',
      [`patch.${ROOT}.outputs`]: '{}',
      [`patch.${CHILD}`]: '{"a":1,"a":2}',
      'post.no-uuid': '{}',
      other: '1',
    });
    expect(records.map(({ members }) => [...members.keys()])).toEqual([['name']]);
    expect(refused.map(({ id }) => id).sort()).toEqual(
      [
        `post.${ROOT}.tags`,
        ...['inputs', 'outputs', 'extra', 'error', 'more'].map((name) => `post.${ROOT}.${name}`),
        `patch.${ROOT}.outputs`,
        `patch.${CHILD}`,
        'post.no-uuid',
        'other',
      ].sort(),
    );
  });

  it('A payload may come before its envelope, and one run may be patched twice in a request', () => {
    const patch = `--b\r\nContent-Disposition: form-data; name="patch.${ROOT}"\r\n\r\n{}\r\n`;
    const outputs = (value: number): string =>
      `--b\r\nContent-Disposition: form-data; name="patch.${ROOT}.outputs"\r\n\r\n${value}\r\n`;
    const body = `${patch}${outputs(1)}${patch}${outputs(2)}--b--`;
    const reading = decodeLangsmithMultipart(Buffer.from(body), 'b');
    expect(reading.ok && reading.records.map((record) => textIn(record, 'outputs'))).toEqual(['1', '2']);
    const { records } = decoded({ [`post.${ROOT}.inputs`]: '1', [`post.${ROOT}`]: '{}' });
    expect(textIn(records[0], 'inputs')).toBe('1');
  });

  it('Of an attachment the name, the type and the size are kept; feedback stands by the run that it names', () => {
    const { records, refused } = decoded({
      [`post.${ROOT}`]: '{}',
      [`attachment.${ROOT}.a.b"c`.replace('"', '\\"')]: Buffer.from([0, 255, 13, 10]),
      [`attachment.${CHILD}.lost`]: 'x',
      [`feedback.${CHILD}`]: `{"id":"${CHILD}","run_id":"${ROOT}","key":"liked","score":1}`,
      'feedback.x': '{}',
    });
    expect(records[0]?.attachments).toEqual([
      { name: 'a.b"c', media_type: 'text/plain', size: 4, stored: false },
    ]);
    expect(records[1]).toMatchObject({ op: 'feedback', id: ROOT, traceId: ROOT });
    expect(refused.map(({ id }) => id).sort()).toEqual([`attachment.${CHILD}.lost`, 'feedback.x']);
  });

  it('A trace is known by its id, by dotted_order, or by a run without a parent', () => {
    const order = `20261129T152402379001Z${ROOT}.20261129T152402427003Z${CHILD}`;
    const of = (members: object, op: 'post' | 'patch' = 'post') => {
      const reading = decodeLangsmithRun(JSON.stringify(members), op, CHILD);
      return reading.ok ? (reading.records[0] ?? reading.refused[0]?.detail) : reading.detail;
    };
    expect(of({ trace_id: ROOT.toUpperCase(), parent_run_id: ROOT })).toMatchObject({
      traceId: ROOT,
      parentId: ROOT,
    });
    expect(of({ dotted_order: order }, 'patch')).toMatchObject({
      op: 'patch',
      traceId: ROOT,
      parentId: ROOT,
    });
    expect(of({ parent_run_id: null })).toMatchObject({ id: CHILD, traceId: CHILD });
    expect(of({ parent_run_id: ROOT })).toMatch(/neither trace_id nor dotted_order/);
    expect(of({ trace_id: 5 })).toBe('trace_id has to be a UUID');
    expect(of({ trace_id: ROOT, parent_run_id: 'x' })).toBe('parent_run_id has to be a UUID');
  });

  it('A batch is taken run by run', () => {
    const post = [
      { id: ROOT, inputs: { a: 1 } },
      7,
      { id: 'x' },
      { id: CHILD, outputs: 'BAD', trace_id: ROOT },
    ];
    const text = JSON.stringify({ post, patch: [{ id: ROOT, error: null }] }).replace('"BAD"', '"\\u0000"');
    const reading = decodeLangsmithBatch(text);
    expect(reading).toMatchObject({
      ok: true,
      records: [
        { op: 'post', id: ROOT },
        { op: 'post', id: CHILD, traceId: ROOT },
        { op: 'patch', id: ROOT },
      ],
      refused: [{ id: 'post[1]' }, { id: 'post.x' }, { id: `post.${CHILD}.outputs` }],
    });
    expect(reading.ok && textIn(reading.records[0], 'inputs')).toBe('{"a":1}');
    for (const none of ['', '[]', '{"post":{}}', '{"post":[}', '{"post":[],"post":[]}']) {
      expect([none, decodeLangsmithBatch(none).ok]).toEqual([none, false]);
    }
    expect(decodeLangsmithBatch('{}')).toEqual({ ok: true, records: [], refused: [] });
  });
});

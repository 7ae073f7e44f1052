import { existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { PERMISSIONS, PROBLEMS, RUN_COMMANDS, type ProblemCode } from '@agentflow/contracts';
import { readConfiguration } from '@agentflow/core';
import { sourcesOf, targetOf } from '@agentflow/domain';
import {
  anchorsIn,
  codesIn,
  filesIn,
  linksIn,
  pages,
  rowsIn,
  sectionsIn,
  textOf,
} from '../support/markdown.js';
import { routesRefusing } from '../support/refusals.js';

const CODES = Object.keys(PROBLEMS) as ProblemCode[];

describe('problem pages', () => {
  it('[V15] every problem code has a page, and every page is about a code', () => {
    const written = filesIn('docs/problems').filter((name) => name !== 'README.md');
    expect(written).toEqual(CODES.map((code) => `${code}.md`).sort());
  });

  it('[V15] every page says the status and title of its code, why it came, what to do, and an example', () => {
    for (const code of CODES) {
      const { status, title } = PROBLEMS[code];
      const page = textOf(`docs/problems/${code}.md`);
      expect(page.split('\n').slice(0, 3)).toEqual([`# ${code}`, '', `\`${status}\` ${title}`]);
      expect([code, ...sectionsIn(page)]).toEqual([code, 'Why', 'What to do', 'Example', 'Routes']);
      const answered = [...page.matchAll(/"code": "([^"]+)"/g)].map((match) => match[1]);
      expect([...new Set(answered)]).toEqual([code]);
    }
  });

  it('[V15] a page that lists routes lists those that refuse with its code', () => {
    const refusing = routesRefusing(JSON.parse(textOf('docs/openapi.json')));
    const listed = CODES.map((code) => {
      const routes = textOf(`docs/problems/${code}.md`).split('\n## Routes\n')[1] ?? '';
      return [code, [...routes.matchAll(/^- `(.+)`$/gm)].map((match) => match[1] as string)] as const;
    }).filter(([, routes]) => routes.length > 0);
    expect(listed).toEqual(listed.map(([code]) => [code, refusing.get(code)]));
    expect(listed.length).toBeGreaterThan(10);
  });

  it('[V15] the table of problems has each code once, with its status and title', () => {
    const rows = rowsIn(textOf('docs/problems/README.md'), /^\[/).map((row) => row.slice(0, 3));
    const expected = CODES.map((code) => {
      const { status, title } = PROBLEMS[code];
      return [`[${code}](${code}.md)`, String(status), title];
    });
    expect(rows.sort()).toEqual(expected.sort());
  });
});

describe('configuration in the README', () => {
  const rows = rowsIn(textOf('README.md'), /^`[A-Z][A-Z_]+`/);

  it('every variable that is read is in the table, and the table has no other', () => {
    expect(rows.flatMap(([names = '']) => codesIn(names)).sort()).toEqual(variablesRead());
  });

  it('every default in the table is the one in force', () => {
    const stated = rows.filter(([, value]) => value !== '');
    for (const [names = '', value = ''] of stated) {
      const name = codesIn(names)[0] as string;
      expect([name, readConfiguration({ [name]: codesIn(value)[0] })]).toEqual([name, readConfiguration({})]);
    }
    expect(stated.length).toBeGreaterThan(10);
  });

  it('every range in the table is taken to its ends, and not beyond', () => {
    const ranges = rows.filter(([, , range = '']) => range.includes(' to '));
    for (const [names = '', , range = ''] of ranges) {
      const name = codesIn(names)[0] as string;
      const [min, max] = range.split(' to ').map(Number) as [number, number];
      for (const bound of [min, max]) readConfiguration({ [name]: String(bound) });
      for (const beyond of [min - 1, max + 1]) {
        expect(() => readConfiguration({ [name]: String(beyond) })).toThrow(name);
      }
    }
    expect(ranges.length).toBeGreaterThan(10);
  });
});

describe('documentation', () => {
  const all = pages();

  it('every link leads to something that is there, down to the heading', () => {
    const links = all.flatMap((page) => linksIn(page).map((link) => ({ from: page.path, ...link })));
    const broken = links.filter(({ target, anchor }) => {
      if (!existsSync(new URL(`../../${target}`, import.meta.url))) return true;
      return anchor !== undefined && !anchorsIn(textOf(target)).includes(anchor);
    });
    expect(broken).toEqual([]);
    expect(links.length).toBeGreaterThan(100);
  });

  it('every npm script that a page names exists', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const named = all.flatMap(({ path, text }) =>
      [...text.matchAll(/\bnpm (?:run (?:-s )?([a-z][a-z:-]*)|(start|test)\b)/g)].map((match) => ({
        path,
        script: (match[1] ?? match[2]) as string,
      })),
    );
    expect(named.filter(({ script }) => !Object.hasOwn(scripts, script))).toEqual([]);
    expect(named.length).toBeGreaterThan(10);
  });

  it('decisions are numbered without gaps, are on the map, and each says what would change it', () => {
    const map = textOf('docs/README.md');
    filesIn('docs/decisions').forEach((file, at) => {
      const number = at + 1;
      expect(file).toMatch(new RegExp(`^${String(number).padStart(4, '0')}-[a-z0-9-]+\\.md$`));
      const text = textOf(`docs/decisions/${file}`);
      const title = text.split('\n', 1)[0]?.replace(`# ${number}. `, '');
      expect(map).toContain(`${number}. [${title}](decisions/${file})`);
      expect(sectionsIn(text)).toEqual(['Context', 'Decision', 'Consequences', 'What would change it']);
    });
  });

  it('the permissions in the guide are those in force', () => {
    const rows = rowsIn(textOf('docs/guides/keys-and-roles.md'), /^`[a-z]+:[a-z]+`$/);
    const written = rows.map(([name = '', role = '', scopes]) => [
      ...codesIn(name),
      ...codesIn(role),
      scopes,
    ]);
    const inForce = Object.entries(PERMISSIONS).map(([name, { role, scopes }]) => [
      name,
      role,
      scopes.join(', '),
    ]);
    expect(written).toEqual(inForce);
  });

  it('the moves of a run in the guide are those in force', () => {
    const diagram = textOf('docs/guides/runs.md').split('```')[1] as string;
    const drawn = [...diagram.matchAll(/^ *(\w+) --> (\w+) : (\w+)$/gm)].map(([, ...move]) => move);
    const moves = RUN_COMMANDS.flatMap((move) => sourcesOf(move).map((from) => [from, targetOf(move), move]));
    expect(drawn.sort()).toEqual(moves.sort());
  });
});

/** The names that reading an environment asks for. */
function variablesRead(): string[] {
  const asked = new Set<string>();
  readConfiguration(new Proxy({}, { get: (_target, name) => void asked.add(String(name)) }));
  return [...asked].sort();
}

import { parseId } from './identifiers.js';

describe('parseId', () => {
  it('answers any UUID in lower case, whatever its version', () => {
    expect(parseId('0192F0C1-2B3C-7D4E-8F90-ABCDEFABCDEF')).toBe('0192f0c1-2b3c-7d4e-8f90-abcdefabcdef');
    expect(parseId('00000000-0000-0000-0000-000000000001')).toBe('00000000-0000-0000-0000-000000000001');
  });

  it.each([
    '00000000-0000-0000-0000-000000000000',
    '0192f0c12b3c7d4e8f90abcdefabcdef',
    '{0192f0c1-2b3c-7d4e-8f90-abcdefabcdef}',
    '0192f0c1-2b3c-7d4e-8f90-abcdefabcdef\n',
    ' 0192f0c1-2b3c-7d4e-8f90-abcdefabcdef',
    '0192f0c1-2b3c-7d4e-8f90-abcdefabcdeg',
    '',
    null,
    7,
    ['0192f0c1-2b3c-7d4e-8f90-abcdefabcdef'],
  ])('refuses %j', (raw) => {
    expect(parseId(raw)).toBeUndefined();
  });
});

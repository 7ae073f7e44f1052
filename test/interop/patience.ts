import { jest } from '@jest/globals';

// A test starts other programs and waits for their end, some of them several times.
jest.setTimeout(240_000);

import { APPROVAL_DECISIONS, APPROVAL_KINDS } from '@agentflow/contracts';
import { bringsAnswer, decisionsOf, statusAfter } from './approval-lifecycle.js';

describe('decisions about approvals', () => {
  it('lead to a status each', () => {
    expect(APPROVAL_DECISIONS.map(statusAfter)).toEqual(['approved', 'edited', 'rejected', 'responded']);
  });

  it('bring an answer when they say something that the request does not hold', () => {
    expect(APPROVAL_DECISIONS.filter(bringsAnswer)).toEqual(['edit', 'respond']);
  });

  it('can be a no to whatever is asked', () => {
    for (const kind of APPROVAL_KINDS) expect(decisionsOf(kind)).toContain('reject');
  });
});

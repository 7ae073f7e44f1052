import { DomainError } from '@agentflow/domain';
import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { MemoryBudget, type Share } from './memory-budget.js';

const isRefused = (take: () => void): boolean => {
  try {
    take();
    return false;
  } catch (error) {
    expect(error).toBeInstanceOf(DomainError);
    return true;
  }
};

describe('the budget of bytes that are under way', () => {
  it('[R1] One batch alone has room, however large it is', () => {
    const share = new MemoryBudget(100).shareFor('one');
    expect(isRefused(() => share.take(1_000))).toBe(false);
  });

  it('[R7] An organization never takes what another needs for as much', () => {
    const budget = new MemoryBudget(100);
    const taken = Array.from({ length: 10 }, () => budget.shareFor('noisy')).filter(
      (share) => !isRefused(() => share.promise(20)),
    );
    expect(taken).toHaveLength(2);
    expect(isRefused(() => budget.shareFor('calm').take(40))).toBe(false);
  });

  it('[R7] What a client said that it would send is free for others after a second in which nothing came', () => {
    let now = 0;
    const budget = new MemoryBudget(100, () => now);
    const [idle, busy] = [budget.shareFor('one'), budget.shareFor('one')];
    idle.promise(90);
    idle.receive(10);
    expect(isRefused(() => busy.take(40))).toBe(true);
    now = 1_000;
    expect(isRefused(() => busy.take(40))).toBe(false);
    expect(isRefused(() => idle.receive(80))).toBe(true);
    idle.giveBack();
    busy.giveBack();
    expect(budget.bytesUnderWay).toBe(0);
  });

  it('[R1] What is worked on stays counted when its client leaves', () => {
    const budget = new MemoryBudget(100);
    const share = budget.shareFor('one');
    share.promise(50);
    share.receive(50);
    share.beginWork();
    share.leave();
    expect(budget.bytesUnderWay).toBe(50);
    share.giveBack();
    expect(budget.bytesUnderWay).toBe(0);
  });

  it('[R1] It is all there again in the end, in whatever order requests take, leave and are answered', () => {
    const moves: ((share: Share, bytes: number) => void)[] = [
      (share, bytes) => share.promise(bytes),
      (share, bytes) => share.receive(bytes),
      (share, bytes) => share.take(bytes),
      (share) => share.breakPromise(),
      (share) => share.beginWork(),
      (share) => share.leave(),
      (share) => share.giveBack(),
    ];
    const step = fc.tuple(fc.nat(3), fc.nat(moves.length - 1), fc.nat(70));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const budget = new MemoryBudget(100);
        const shares = ['one', 'one', 'two', 'two'].map((holder) => budget.shareFor(holder));
        for (const [which, move, bytes] of steps)
          isRefused(() => moves[move]?.(shares[which] as Share, bytes));
        for (const share of shares) share.giveBack();
        for (const share of shares) expect(isRefused(() => share.take(1))).toBe(true);
        expect(budget.bytesUnderWay).toBe(0);
      }),
    );
  });
});

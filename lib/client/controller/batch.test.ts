import { describe, expect, test } from 'vitest';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { settled } from '#test/support/settled.ts';
import { type BatchPorts, type DeliveryResult, type Worker, workOnBatch } from './batch.ts';
import { encodeMessage, messageOf, type ReconcileMessage } from './delivery.ts';
import { KnownVersions } from './known-versions.ts';
import type { Result } from './reconciler.ts';
import { Interrupted, TimedOut } from './thread-end.ts';

const SEQUENCE = 'main/example.com/databases';

function about(name: string, version: number, more: Partial<ReconcileMessage> = {}): ReconcileMessage {
  const of = { reconciler: 'database', cluster: 'main', namespace: 'ns', name, sequence: SEQUENCE, version };
  return { ...messageOf(of), ...more };
}

const delivered = (...messages: ReconcileMessage[]): DeliveryResult[] =>
  messages.map((message, i) => ({ id: `${i}`, body: encodeMessage(message) }));

interface Later {
  readonly message: ReconcileMessage;
  readonly milliseconds: number;
}

/** One process that uses external queues. */
class Rig {
  readonly clock = new ManualClock();
  readonly later: Later[] = [];
  readonly sent: ReconcileMessage[] = [];
  readonly dead: { readonly body: string; readonly reason: string }[] = [];
  readonly worked: string[] = [];
  readonly errors: unknown[] = [];
  readonly known = new KnownVersions();
  work: (message: ReconcileMessage, signal: AbortSignal) => Promise<Result> = async () => undefined;
  isLaterBroken = false;
  #nonces = 0;

  ports(): BatchPorts {
    const worker: Worker = {
      maxConcurrent: 2,
      work: async (message, signal) => {
        this.worked.push(`${message.name}@${message.version}#${message.attempt}`);
        return this.work(message, signal);
      },
    };
    return {
      clock: this.clock,
      known: this.known,
      deadline: this.clock.monotonic() + 10_000,
      maxAttempts: 3,
      random: () => 0,
      nonce: () => `${++this.#nonces}`,
      workerOf: (name) => (name === 'database' ? worker : undefined),
      onError: (_message, error) => this.errors.push(error),
      queues: {
        send: async (message) => void this.sent.push(message),
        later: async (message, milliseconds) => {
          if (this.isLaterBroken) throw new Error('no queue');
          this.later.push({ message, milliseconds });
        },
        deadLetter: async (body, reason) => void this.dead.push({ body, reason }),
      },
    };
  }

  async run(...messages: ReconcileMessage[]): Promise<readonly string[]> {
    return this.settle(workOnBatch(delivered(...messages), this.ports()));
  }

  /** Advances the clock until the promise is settled. */
  async settle<T>(work: Promise<T>): Promise<T> {
    const state = { ended: false };
    const done = work.finally(() => (state.ended = true));
    while (!state.ended) {
      await settled();
      if (!state.ended) this.clock.advance(100);
    }
    return done;
  }
}

describe('processing of a batch', () => {
  test('reconciles each object once at its newest version, and acknowledges the other deliveries', async () => {
    const rig = new Rig();
    expect(await rig.run(about('a', 1), about('b', 2), about('a', 4), about('a', 3))).toEqual([]);
    expect(rig.worked.sort()).toEqual(['a@4#1', 'b@2#1']);
  });

  test('drops changes that were already reconciled, but never a message from `later`', async () => {
    const rig = new Rig();
    await rig.run(about('a', 4));
    await rig.run(about('a', 4), about('a', 3));
    await rig.run(about('a', 4, { later: 'x' }));
    await rig.run(about('a', 1, { sequence: 'main/batch/jobs' }));
    await rig.run(about('a', 5));
    expect(rig.worked).toEqual(['a@4#1', 'a@4#1', 'a@1#1', 'a@5#1']);
  });

  test('returns an object that timed out, and requeues an interrupted one without counting a failure', async () => {
    const rig = new Rig();
    rig.work = async ({ name }) => {
      if (name === 'hung') throw new TimedOut('it was not done');
      if (name === 'cut') throw new Interrupted('another ended the thread');
      return undefined;
    };
    const cut = about('cut', 1, { attempt: 2 });
    expect(await rig.run(about('hung', 1), cut, about('done', 1))).toEqual(['0']);
    expect(rig.sent).toEqual([{ ...cut, later: '1' }]);
    expect({ later: rig.later, dead: rig.dead, errors: rig.errors.map(String) }).toEqual({
      later: [],
      dead: [],
      errors: ['Error: it was not done'],
    });
    await rig.run(about('hung', 1), about('cut', 1), about('done', 1));
    expect(rig.worked.map((one) => one.split('@')[0])).toEqual(['hung', 'cut', 'done', 'hung', 'cut']);
  });

  test('gives work a grace period after the deadline', async () => {
    const rig = new Rig();
    rig.work = (_message, signal) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => void rig.clock.sleep(500).then(() => reject(new TimedOut('told')))),
      );
    expect(await rig.settle(workOnBatch(delivered(about('a', 1)), { ...rig.ports(), grace: 1000 }))).toEqual(['0']);
    rig.work = () => new Promise(() => undefined);
    expect(await rig.settle(workOnBatch(delivered(about('b', 1)), { ...rig.ports(), grace: 1000 }))).toEqual([]);
    expect(rig.later.map(({ message }) => message.name)).toEqual(['b']);
  });

  test('waits for messages that are due soon, and forwards the others', async () => {
    const rig = new Rig();
    const results: Result[] = [{ requeueAfter: 50 }, { requeueAfter: 86_400_000 }];
    rig.work = async () => results.shift();
    expect(await rig.run(about('a', 1))).toEqual([]);
    expect(rig.worked).toHaveLength(2);
    const message = about('a', 1, { later: '1', asked: rig.clock.now() });
    expect(rig.later).toEqual([{ message, milliseconds: 86_400_000 }]);
  });

  test('requeues as often as requested, even if the object changes in between', async () => {
    const rig = new Rig();
    rig.work = async () => ({ requeueAfter: 60_000 });
    for (let version = 1; version <= 10; version++) {
      await rig.run(about('a', version));
      rig.clock.advance(2000);
    }
    for (let minute = 0; minute < 3; minute++) {
      for (const { message } of rig.later.splice(0)) await rig.run(message);
      rig.clock.advance(60_000);
      expect(rig.later).toHaveLength(1);
    }
    expect(rig.worked).toHaveLength(10 + 3);
  });

  test('keeps an earlier requeue in addition to the retry of a failure', async () => {
    const rig = new Rig();
    rig.work = async ({ version }) => (version === 2 ? new Promise<never>(() => undefined) : { requeueAfter: 60_000 });
    await rig.run(about('a', 1));
    rig.clock.advance(5000);
    await rig.run(about('a', 2));
    expect(rig.later.map(({ message }) => message.attempt)).toEqual([1, 2]);
    await rig.run(...rig.later.slice(0, 1).map(({ message }) => message));
    expect(rig.worked.at(-1)).toBe('a@1#1');
  });

  test('retries failures, and dead-letters the last one', async () => {
    const rig = new Rig();
    rig.work = () => Promise.reject(new Error('no'));
    expect(await rig.run(about('a', 1))).toEqual([]);
    expect(rig.worked).toEqual(['a@1#1', 'a@1#2', 'a@1#3']);
    expect(rig.dead).toEqual([{ body: encodeMessage(about('a', 1)), reason: 'no' }]);
    expect(rig.errors).toHaveLength(3);
  });

  test('never retries a terminal failure', async () => {
    const rig = new Rig();
    rig.work = async () => ({ terminal: 'never' });
    await rig.run(about('a', 1));
    expect([rig.worked.length, rig.later, rig.dead]).toEqual([1, [], []]);
  });

  test('returns only the deliveries of an object whose next message could not be stored', async () => {
    const rig = new Rig();
    rig.isLaterBroken = true;
    rig.work = async ({ name }) => (name === 'a' ? { requeueAfter: 5000 } : undefined);
    expect([...(await rig.run(about('a', 1), about('b', 1), about('a', 2)))].sort()).toEqual(['0', '2']);
    expect(rig.known.has(about('a', 2))).toBe(false);
    expect(rig.known.has(about('b', 1))).toBe(true);
  });

  test('aborts attempts that do not end, and retries them later', async () => {
    const rig = new Rig();
    let told: unknown;
    rig.work = (_message, signal) => new Promise(() => signal.addEventListener('abort', () => (told = signal.reason)));
    expect(await rig.run(about('a', 1))).toEqual([]);
    expect(String(told)).toContain('in time');
    expect(rig.later.map(({ message }) => message.attempt)).toEqual([2]);
  });

  test('dead-letters invalid messages and messages for unknown reconcilers', async () => {
    const rig = new Rig();
    const batch = [{ id: '0', body: 'x' }, ...delivered(about('a', 1, { reconciler: 'other', attempt: 3 }))];
    expect(await rig.settle(workOnBatch(batch, rig.ports()))).toEqual([]);
    expect(rig.dead.map(({ reason }) => reason)).toEqual([
      'no message for a reconciler: not JSON',
      'no reconciler other is here',
    ]);
  });

  test('processes at most maxConcurrent objects at once', async () => {
    const rig = new Rig();
    let running = 0;
    let most = 0;
    rig.work = async () => {
      most = Math.max(most, ++running);
      await settled();
      running--;
      return undefined;
    };
    await rig.run(...['a', 'b', 'c', 'd', 'e'].map((name) => about(name, 1)));
    expect([rig.worked.length, most]).toEqual([5, 2]);
  });
});

/**
 * Wraps every port call. At call number `dieAt` the process dies, either before or after the call takes effect. A dead process makes no
 * further calls.
 */
function mortal(ports: BatchPorts, dieAt: number, when: 'before' | 'after') {
  let calls = 0;
  const death = Promise.withResolvers<never>();
  death.promise.catch(() => undefined);
  const never = new Promise<never>(() => undefined);
  const guard =
    <A extends unknown[], T>(call: (...given: A) => Promise<T>) =>
    async (...given: A): Promise<T> => {
      if (calls >= dieAt) return never;
      if (++calls < dieAt) return call(...given);
      if (when === 'after') await call(...given).catch(() => undefined);
      death.reject(new Error('dead'));
      return never;
    };
  const { queues, workerOf } = ports;
  const guarded: BatchPorts = {
    ...ports,
    queues: { send: guard(queues.send), later: guard(queues.later), deadLetter: guard(queues.deadLetter) },
    workerOf: (name) => {
      const worker = workerOf(name);
      return worker && { ...worker, work: guard(worker.work) };
    },
  };
  return { guarded, death: death.promise, calls: () => calls };
}

describe.each(['before', 'after'] as const)('a process that crashes %s each of its calls', (when) => {
  test('eventually reconciles every object, however often messages are redelivered', async () => {
    let dieAt = 1;
    for (let isDead = true; isDead; dieAt++) {
      const rig = new Rig();
      const reconciled = new Map<string, number>();
      const tries = new Map<string, number>();
      // `slow` succeeds on its second attempt, `sick` on its third, `doomed` never.
      rig.work = async ({ name, version }) => {
        const attempt = (tries.get(name) ?? 0) + 1;
        tries.set(name, attempt);
        if (name === 'doomed' || (name === 'sick' && attempt < 3)) throw new Error('no');
        if (name === 'slow' && attempt < 2) return { requeueAfter: 5000 };
        reconciled.set(name, version);
        return undefined;
      };
      const names = ['fine', 'slow', 'sick', 'doomed'];
      const batch = delivered(...names.map((name) => about(name, 2)), about('fine', 1));
      const { guarded, death, calls } = mortal(rig.ports(), dieAt, when);
      const first = await rig.settle(Promise.race([workOnBatch(batch, guarded), death]).catch(() => 'dead'));
      isDead = first === 'dead';
      // A new process has no memory. The queue redelivers unacknowledged messages, then delayed ones.
      const again = { ...rig.ports(), known: new KnownVersions() };
      if (isDead) expect(await rig.settle(workOnBatch(batch, again))).toEqual([]);
      for (let waiting = rig.later.shift(); waiting !== undefined; waiting = rig.later.shift())
        expect(await rig.settle(workOnBatch(delivered(waiting.message), rig.ports()))).toEqual([]);
      expect([...reconciled.keys()].sort()).toEqual(['fine', 'sick', 'slow']);
      expect(reconciled.get('fine')).toBe(2);
      expect(new Set(rig.dead.map(({ body }) => (JSON.parse(body) as ReconcileMessage).name))).toEqual(
        new Set(['doomed']),
      );
      expect(calls()).toBeLessThanOrEqual(dieAt);
    }
    expect(dieAt).toBeGreaterThan(8);
  });
});

test.each(['redelivered', 'reordered', 'duplicated'])(
  'reconciles the newest version if messages are %s',
  async (how) => {
    const rig = new Rig();
    let world = 0;
    const seen: number[] = [];
    rig.work = async () => void seen.push(world); // level-based: uses the current state, not the message
    const versions = [1, 2, 3, 4];
    const order = {
      redelivered: [1, 2, 1, 2, 3, 4, 4],
      reordered: [4, 2, 3, 1],
      duplicated: versions.flatMap((v) => [v, v]),
    };
    for (const version of order[how as keyof typeof order]) {
      world = Math.max(world, version);
      await rig.run(about('a', version));
    }
    expect(seen.at(-1)).toBe(4);
    expect(seen.length).toBeLessThanOrEqual(4);
  },
);

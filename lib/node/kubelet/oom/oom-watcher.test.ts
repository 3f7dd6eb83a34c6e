import { expect, test } from 'vitest';
import { StepClock } from '../testing/step-clock.ts';
import { watchOOMs } from './oom-watcher.ts';

const NODE = { kind: 'Node', metadata: { name: 'n1', uid: 'n1' } };
const FIRST = 'stress invoked oom-killer: gfp_mask=0x100cca(GFP_HIGHUSER_MOVABLE), order=0, oom_score_adj=0';
const LAST = 'Out of memory: Killed process 4711 (stress) total-vm:8388608kB, anon-rss:7340032kB';
const oomKill = (memcg: string): string =>
  `oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,${memcg},task_memcg=/a,task=stress,pid=4711,uid=0`;
const TOLD = 'Warning SystemOOM System OOM encountered, victim process: stress, pid: 4711';

/** The events after checks that find these messages. */
async function eventsOf(...looks: readonly (readonly string[])[]): Promise<string[]> {
  const ending = new AbortController();
  const told: string[] = [];
  let look = 0;
  const options = {
    log: { read: () => looks[look++] ?? [] },
    clock: new StepClock((count) => (count === looks.length ? ending.abort() : undefined)),
    recorder: {
      event: (about: object, type: string, reason: string, message: string) =>
        void told.push(about === NODE ? `${type} ${reason} ${message}` : 'of another object'),
    },
    node: NODE,
    onFault: (error: unknown) => void told.push(String(error)),
  };
  await watchOOMs(options, ending.signal);
  return told;
}

test.each<[string, readonly (readonly string[])[], readonly string[]]>([
  ['a kill on the whole machine is recorded', [[FIRST, 'Mem-Info:', oomKill('global_oom'), LAST]], [TOLD]],
  ['a kill whose messages arrive in two reads is recorded', [[FIRST], ['Mem-Info:', LAST]], [TOLD]],
  ['two kills are both recorded', [[FIRST, LAST, FIRST, LAST]], [TOLD, TOLD]],
  ["a kill by a container's limit is not recorded", [[FIRST, oomKill('oom_memcg=/kubepods/pod1'), LAST]], []],
  [
    "a kill by a container's limit is not recorded on a kernel before 5.0",
    [[FIRST, 'Task in /kubepods/pod1/a killed as a result of limit of /kubepods/pod1', LAST]],
    [],
  ],
  ['a kill without its first message is not recorded', [[LAST]], []],
])('checks that %s', async (_, looks, expected) => {
  expect(await eventsOf(...looks)).toEqual(expected);
});

test('reports an unreadable log as a fault and does not read it again', async () => {
  const faults: unknown[] = [];
  const never = new StepClock(() => undefined);
  const read = (): never => {
    throw new Error('EPERM');
  };
  const recorder = { event: () => undefined };
  const onFault = (error: unknown): void => void faults.push(error);
  await watchOOMs({ log: { read }, clock: never, recorder, node: NODE, onFault }, new AbortController().signal);
  expect(faults).toEqual([new Error('EPERM')]);
});

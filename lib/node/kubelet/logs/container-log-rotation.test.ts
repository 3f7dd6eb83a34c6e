import { describe, expect, test } from 'vitest';
import { Container, ContainerState, ContainerStatus } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { StepClock } from '../testing/step-clock.ts';
import { ContainerLogRotation, LOG_ROTATE_POLICY } from './container-log-rotation.ts';

const LOG = '/l/0.log';

/** An in-memory directory of files with sizes. It applies the operations. */
function aFolder(files: Record<string, number>) {
  const sizes = new Map(Object.entries(files));
  return {
    sizes,
    names: (): string[] => [...sizes.keys()].sort(),
    files: {
      size: async (path: string) => sizes.get(path),
      beginningWith: async (prefix: string) => [...sizes.keys()].filter((path) => path.startsWith(prefix)),
      remove: async (path: string) => void sizes.delete(path),
      async rename(from: string, to: string) {
        const size = sizes.get(from);
        if (size === undefined) throw new Error(`no ${from}`);
        sizes.delete(from);
        sizes.set(to, size);
      },
      compress: async (from: string, to: string) => void sizes.set(to, (sizes.get(from) ?? 0) / 10),
    },
  };
}

/** Checks the logs of one container once. */
async function rotated(files: Record<string, number>, more: { state?: ContainerState; isDeaf?: boolean } = {}) {
  const folder = aFolder(files);
  const faults: string[] = [];
  let reopened = 0;
  const ending = new AbortController();
  const rotation = new ContainerLogRotation(
    { ...LOG_ROTATE_POLICY, maxSize: 100 },
    {
      root: '/l',
      clock: new StepClock(() => ending.abort(), Date.parse('2026-01-02T03:04:05Z')),
      files: folder.files,
      runtime: {
        listContainers: async () => ({
          containers: [Container.fromPartial({ id: 'c', state: more.state ?? ContainerState.CONTAINER_RUNNING })],
        }),
        containerStatus: async () => ({ status: ContainerStatus.fromPartial({ id: 'c', logPath: LOG }), info: {} }),
        async reopenContainerLog() {
          if (more.isDeaf === true) throw new Error('deaf');
          reopened += 1;
          folder.sizes.set(LOG, 0);
          return {};
        },
      },
      onFault: (error) => void faults.push(String(error)),
    },
  );
  await rotation.run(ending.signal);
  return { names: folder.names(), reopened, faults, rotation };
}

const NEW = `${LOG}.20260102-030405`;
const OLD = ['20260101-000001', '20260101-000002', '20260101-000003', '20260101-000004'].map((at) => `${LOG}.${at}`);

describe('rotation of container logs', () => {
  test.each<[string, Record<string, number>, string[]]>([
    ['leaves a small log alone', { [LOG]: 99 }, [LOG]],
    ['starts a new file after a large one', { [LOG]: 100 }, [LOG, NEW]],
    ['opens a missing log', {}, [LOG]],
    [
      'compresses the previous log and keeps five files',
      { [LOG]: 100, [`${OLD[0]}.gz`]: 1, [`${OLD[1]}.gz`]: 1, [`${OLD[2]}.gz`]: 1, [`${OLD[3]}`]: 100 },
      [LOG, `${OLD[1]}.gz`, `${OLD[2]}.gz`, `${OLD[3]}.gz`, NEW],
    ],
    [
      'removes the leftovers of a failed rotation',
      { [LOG]: 100, [`${OLD[0]}`]: 100, [`${OLD[0]}.gz`]: 1, [`${OLD[1]}.tmp`]: 1 },
      [LOG, `${OLD[0]}.gz`, NEW],
    ],
  ])('%s', async (_, files, expected) => {
    const { names, faults } = await rotated(files);
    expect(names).toEqual(expected.sort());
    expect(faults).toEqual([]);
  });

  test('ignores the log of an exited container', async () => {
    expect((await rotated({ [LOG]: 100 }, { state: ContainerState.CONTAINER_EXITED })).names).toEqual([LOG]);
  });

  test('reverts the rotation if the runtime does not open the new file', async () => {
    const { names, faults } = await rotated({ [LOG]: 100 }, { isDeaf: true });
    expect(names).toEqual([LOG]);
    expect(faults).toEqual(['Error: failed to reopen container log "c": deaf']);
  });
});

test('removes every log of a container on clean', async () => {
  const { rotation, names } = await rotated({ [LOG]: 100 });
  expect(names).toHaveLength(2);
  await rotation.clean('c');
  const policy = { ...LOG_ROTATE_POLICY, maxFiles: 1 };
  expect(() => new ContainerLogRotation(policy, Object.create(null))).toThrow('invalid MaxFiles 1, must be > 1');
});

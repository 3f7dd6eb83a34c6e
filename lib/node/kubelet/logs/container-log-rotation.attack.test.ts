import { expect, test } from 'vitest';
import { Container, ContainerState, ContainerStatus } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { StepClock } from '../testing/step-clock.ts';
import { ContainerLogRotation } from './container-log-rotation.ts';

test.each([
  '/etc/passwd',
  '/var/log/pods/../../../etc/passwd',
  '/var/log/pods',
  '/',
  '../etc/passwd',
  '/var/log/podsy/x',
])('neither reads, moves nor removes files if a runtime reports %s as a log', async (logPath) => {
  const touched: string[] = [];
  const faults: string[] = [];
  const touch = (path: string): never => {
    touched.push(path);
    throw new Error('touched');
  };
  const ending = new AbortController();
  const rotation = new ContainerLogRotation(
    { maxSize: 1, maxFiles: 2, interval: 1000 },
    {
      root: '/var/log/pods',
      clock: new StepClock(() => ending.abort(), 0),
      files: {
        size: async (path) => touch(path),
        beginningWith: async (prefix) => touch(prefix),
        remove: async (path) => touch(path),
        rename: async (path) => touch(path),
        compress: async (path) => touch(path),
      },
      runtime: {
        listContainers: async () => ({
          containers: [Container.fromPartial({ id: 'c', state: ContainerState.CONTAINER_RUNNING })],
        }),
        containerStatus: async () => ({ status: ContainerStatus.fromPartial({ id: 'c', logPath }), info: {} }),
        reopenContainerLog: async () => touch('reopened'),
      },
      onFault: (error) => void faults.push(String(error)),
    },
  );
  await rotation.run(ending.signal);
  await rotation.clean('c');
  expect(touched).toEqual([]);
  expect(faults).toEqual([`Error: log file "${logPath}" is outside of /var/log/pods`]);
});

import { expect, test } from 'vitest';
import { RpcError } from '#lib/machinery/rpc.ts';
import { ContainerState } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { FakeRuntimeService } from './fake-runtime-service.ts';
import { StepClock } from './step-clock.ts';

const sandbox = (attempt = 0) => ({ metadata: { name: 'web', namespace: 'ns', uid: 'u1', attempt } });
const container = (attempt = 0) => ({ metadata: { name: 'app', attempt }, labels: { a: 'b' } });

async function started(fake: FakeRuntimeService, attempt = 0) {
  const { runtime } = fake.connect();
  const { podSandboxId } = await runtime
    .runPodSandbox({ config: sandbox() })
    .catch(() => ({ podSandboxId: '1'.padStart(64, '0') }));
  const { containerId } = await runtime.createContainer({ podSandboxId, config: container(attempt) });
  await runtime.startContainer({ containerId });
  return { runtime, podSandboxId, containerId };
}

test('ends a container according to its script as the clock advances', async () => {
  const clock = new StepClock();
  const fake = new FakeRuntimeService(clock);
  fake.containers.script('app', { runsFor: 5000, exitCode: 3 });
  const { runtime, containerId } = await started(fake);
  expect((await runtime.containerStatus({ containerId })).status?.state).toBe(ContainerState.CONTAINER_RUNNING);
  await clock.sleep(5000);
  expect((await runtime.containerStatus({ containerId })).status).toMatchObject({
    state: ContainerState.CONTAINER_EXITED,
    exitCode: 3,
    reason: 'Error',
  });
});

test('reserves the name of an attempt', async () => {
  const fake = new FakeRuntimeService(new StepClock());
  const { runtime, podSandboxId } = await started(fake);
  await expect(runtime.runPodSandbox({ config: sandbox() })).rejects.toThrow('is reserved for');
  await expect(runtime.createContainer({ podSandboxId, config: container() })).rejects.toThrow('is reserved for');
});

test('records two concurrent attempts as a violation', async () => {
  const fake = new FakeRuntimeService(new StepClock());
  await started(fake);
  await started(fake, 1);
  expect(fake.containers.violations).toHaveLength(1);
});

test('sends SIGKILL after the grace period', async () => {
  const clock = new StepClock();
  const fake = new FakeRuntimeService(clock);
  fake.containers.script('app', { stopsIn: Infinity });
  const { runtime, containerId } = await started(fake);
  await runtime.stopContainer({ containerId, timeout: 7n });
  expect(clock.sleeps).toEqual([7000]);
  expect((await runtime.containerStatus({ containerId })).status?.exitCode).toBe(137);
});

test('sends no response to a killed process and ignores its calls', async () => {
  const fake = new FakeRuntimeService(new StepClock());
  const { runtime, killed } = fake.connect(({ phase }) => phase === 'after');
  const unheard = runtime.runPodSandbox({ config: sandbox() });
  await killed;
  void runtime.runPodSandbox({ config: sandbox(1) });
  await expect(Promise.race([unheard, Promise.resolve('silence')])).resolves.toBe('silence');
  expect([...fake.containers.sandboxes.keys()]).toHaveLength(1);
});

test('fails calls before or after their execution, as often as configured', async () => {
  const fake = new FakeRuntimeService(new StepClock());
  const { runtime } = fake.connect();
  fake.fail('runPodSandbox', new RpcError('DeadlineExceeded', 'slow'), { phase: 'after' });
  await expect(runtime.runPodSandbox({ config: sandbox() })).rejects.toThrow('code = DeadlineExceeded desc = slow');
  expect((await runtime.listPodSandbox({})).items).toHaveLength(1);
});

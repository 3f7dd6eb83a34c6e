import { describe, expect, test } from 'vitest';
import type { LifecycleHandler, Pod } from '#lib/api/types/core.v1.ts';
import { RpcError } from '#lib/machinery/rpc.ts';
import { NoResponse, type ProbeRequest } from '../prober/ports.ts';
import { StepClock } from '../testing/step-clock.ts';
import { type HandlerPorts, LifecycleHandlers } from './handlers.ts';

const CONTAINER = { name: 'app', image: 'i', resources: {} };
const POD: Pod = { metadata: { name: 'p', namespace: 'n', uid: 'u' }, spec: { containers: [CONTAINER] }, status: {} };
const IN_POD = 'for Container "app" in Pod "p_n(u)" failed - error:';

interface Ran {
  readonly asked: string[];
  readonly events: string[];
  readonly fault: string;
}

async function ran(handler: LifecycleHandler, more: Partial<HandlerPorts> = {}, signal?: AbortSignal): Promise<Ran> {
  const asked: string[] = [];
  const events: string[] = [];
  const answer = more.http;
  const handlers = new LifecycleHandlers({
    clock: new StepClock(),
    runtime: {
      async runInContainer(id, command, timeout) {
        asked.push(`${id} ${command.join(' ')} ${timeout}`);
        return { exitCode: 0, stdout: new Uint8Array(), stderr: new Uint8Array() };
      },
    },
    podIPs: async () => ['192.0.2.1', 'fd00::1'],
    events: { event: (_, _type, reason, message) => void events.push(`${reason}: ${message}`) },
    ...more,
    http: {
      async get(request, timeout) {
        asked.push(`${request.url} ${timeout} ${Object.keys(request.headers).join(' ')}`);
        return answer === undefined ? { status: 500, body: new Uint8Array() } : answer.get(request, timeout);
      },
    },
  });
  const fault = await handlers.run('1', POD, CONTAINER, handler, signal).then(
    () => '',
    (error: Error) => error.message,
  );
  return { asked, events, fault };
}

const exec = { exec: { command: ['sh', '-c', 'x'] } };

describe('an exec hook', () => {
  test('runs an exec hook without a time-out', async () => {
    expect(await ran(exec)).toEqual({ asked: ['1 sh -c x 0'], events: [], fault: '' });
  });

  test('reports the exit code and output of a failed exec hook', async () => {
    const [stdout, stderr] = [Buffer.from('out'), Buffer.from('err')];
    const { fault } = await ran(exec, { runtime: { runInContainer: async () => ({ exitCode: 3, stdout, stderr }) } });
    expect(fault).toBe(
      `Exec lifecycle hook ([sh -c x]) ${IN_POD} command 'sh -c x' exited with 3: err, message: "outerr"`,
    );
  });

  test('reports why the runtime refuses an exec hook', async () => {
    const runInContainer = () => Promise.reject(new RpcError('NotFound', 'gone'));
    const { fault } = await ran(exec, { runtime: { runInContainer } });
    expect(fault).toBe(`Exec lifecycle hook ([sh -c x]) ${IN_POD} rpc error: code = NotFound desc = gone, message: ""`);
  });
});

describe('an HTTP hook', () => {
  const httpGet = { port: 80, path: '/x' };
  const HEADERS = 'User-Agent Accept';

  test('sends an HTTP hook to the pod and accepts any response', async () => {
    expect(await ran({ httpGet })).toEqual({ asked: [`http://192.0.2.1:80/x 0 ${HEADERS}`], events: [], fault: '' });
  });

  test('fails an HTTP hook of a pod without an address', async () => {
    const { fault } = await ran({ httpGet }, { podIPs: async () => [] });
    expect(fault).toBe(`HTTP lifecycle hook (/x) ${IN_POD} failed to find networking container: p_n(u)`);
  });

  test('fails an HTTP hook without a response', async () => {
    const get = () => Promise.reject(new NoResponse('Get "http://192.0.2.1:80/x": EOF'));
    const { fault } = await ran({ httpGet }, { http: { get } });
    expect(fault).toBe(`HTTP lifecycle hook (/x) ${IN_POD} Get "http://192.0.2.1:80/x": EOF`);
  });

  test('repeats an HTTPS hook to a plain HTTP server without its authorization header', async () => {
    const get = async ({ url }: ProbeRequest) => {
      if (url.startsWith('https:')) throw new NoResponse('plain', { isPlainHttp: true });
      return { status: 200, body: new Uint8Array() };
    };
    const secret = [{ name: 'authorization', value: 'Basic x' }];
    expect(await ran({ httpGet: { ...httpGet, scheme: 'HTTPS', httpHeaders: secret } }, { http: { get } })).toEqual({
      asked: [`https://192.0.2.1:80/x 0 Authorization ${HEADERS}`, `http://192.0.2.1:80/x 0 ${HEADERS}`],
      events: [
        'LifecycleHTTPFallback: request to HTTPS lifecycle hook 192.0.2.1:80 got HTTP response, retry with HTTP succeeded',
      ],
      fault: '',
    });
  });
});

describe('a sleep hook', () => {
  test('sleeps for the duration of the hook', async () => {
    const clock = new StepClock();
    expect((await ran({ sleep: { seconds: 5n } }, { clock })).fault).toBe('');
    expect(clock.sleeps).toEqual([5000]);
  });

  test('fails a sleep hook if the container exits first', async () => {
    const { fault } = await ran({ sleep: { seconds: 5n } }, {}, AbortSignal.abort());
    expect(fault).toBe(`Sleep lifecycle hook (5) ${IN_POD} container terminated before sleep hook finished`);
  });
});

test('rejects a TCP hook', async () => {
  expect((await ran({ tcpSocket: { port: 80 } })).fault).toBe('Cannot run handler: invalid handler: tcpSocket');
});

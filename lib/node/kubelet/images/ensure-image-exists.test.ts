import { beforeEach, describe, expect, test } from 'vitest';
import type { Pod, Secret } from '#lib/api/types/core.v1.ts';
import { RpcError } from '#lib/machinery/rpc.ts';
import { BasicKeyring } from '#lib/node/credentialprovider/keyring.ts';
import { PodSandboxConfig } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { settled } from '#test/support/settled.ts';
import { KubeletError } from '../container/sync-result.ts';
import { aPod } from '../testing/pods.ts';
import { StepClock } from '../testing/step-clock.ts';
import { type ImageManagerOptions, newImageManager } from './ensure-image-exists.ts';
import type { ImageManager, ImageRequest } from './image-manager.ts';
import { DEFAULT_PULL_LIMITS, type PullLimits } from './puller.ts';
import { filePullRecords } from './pullmanager/file-pull-records.ts';
import { verificationPolicy } from './pullmanager/policy.ts';
import { PullManager } from './pullmanager/pull-manager.ts';
import { anImage, FakeImages } from './testing/fake-images.ts';
import { MemoryFiles } from './testing/memory-files.ts';

let clock: StepClock;
let images: FakeImages;
let files: MemoryFiles;
let keyring: BasicKeyring;
let events: string[];
let faults: unknown[];

beforeEach(() => {
  clock = new StepClock();
  images = new FakeImages();
  files = new MemoryFiles();
  keyring = new BasicKeyring();
  events = [];
  faults = [];
});

const manager = (
  limits: PullLimits = DEFAULT_PULL_LIMITS,
  plugins: Pick<ImageManagerOptions, 'podKeyring'> = {},
): ImageManager =>
  newImageManager({
    images,
    keyring,
    ...plugins,
    clock,
    limits,
    recorder: { event: (_, type, reason, message, path) => events.push([type, reason, message, path].join(' ')) },
    pulls: new PullManager({
      records: filePullRecords(files),
      requiresVerification: verificationPolicy('NeverVerifyPreloadedImages'),
      clock,
      onFault: (fault) => faults.push(fault),
    }),
  });

const pod = aPod('p');
const request = (overrides: Partial<ImageRequest> = {}): ImageRequest => ({
  pod,
  container: { name: 'app', resources: {} },
  image: 'r.io/app',
  pullPolicy: 'IfNotPresent',
  pullSecrets: [],
  sandboxConfig: PodSandboxConfig.fromPartial({}),
  runtimeHandler: '',
  fieldPath: 'spec.containers{app}',
  ...overrides,
});

const secret = (name: string, user: string): Secret => ({
  metadata: { name, namespace: 'default', uid: `uid-${name}` },
  type: 'kubernetes.io/dockercfg',
  data: { '.dockercfg': Buffer.from(`{"r.io":{"username":"${user}","password":"p"}}`).toString('base64') },
});

const failure = async (call: Promise<unknown>): Promise<unknown> => {
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  return error instanceof KubeletError ? [error.reason, error.message] : error;
};

test('pulls a missing image with upstream’s events', async () => {
  images.onPull = () => clock.sleep(1234.5);
  expect(await manager().ensureImageExists(request())).toBe('id-of-r.io/app:latest');
  expect(events).toEqual([
    'Normal Pulling Pulling image "r.io/app" spec.containers{app}',
    'Normal Pulled Successfully pulled image "r.io/app" in 1.234s (1.234s including waiting). Image size: 2000000 bytes. spec.containers{app}',
  ]);
});

test('does not pull an image that the node has', async () => {
  images.present.set('r.io/app:latest', anImage('sha256:1'));
  expect(await manager().ensureImageExists(request())).toBe('sha256:1');
  expect(images.pulls).toEqual([]);
  expect(events).toEqual([
    'Normal Pulled Container image "r.io/app" already present on machine and can be accessed by the pod spec.containers{app}',
  ]);
});

test('pulls an existing image with policy Always', async () => {
  images.present.set('r.io/app:latest', anImage('sha256:1'));
  await manager().ensureImageExists(request({ pullPolicy: 'Always' }));
  expect(images.pulls).toEqual(['r.io/app:latest']);
});

describe('failures of images', () => {
  test('rejects a missing image with policy Never', async () => {
    const message = 'Container image "r.io/app" is not present with pull policy of Never';
    expect(await failure(manager().ensureImageExists(request({ pullPolicy: 'Never' })))).toEqual([
      'ErrImageNeverPull',
      message,
    ]);
    expect(events).toEqual([`Warning ErrImageNeverPull ${message} spec.containers{app}`]);
  });

  test('rejects an invalid image name', async () => {
    const message =
      'Failed to apply default image tag "A B": couldn\'t parse image name "A B": invalid reference format: repository name (library/A B) must be lowercase';
    expect(await failure(manager().ensureImageExists(request({ image: 'A B' })))).toEqual([
      'InvalidImageName',
      message,
    ]);
    expect(events).toEqual([`Warning InspectFailed ${message} spec.containers{app}`]);
  });

  test('reports a runtime that does not respond', async () => {
    images.onStatus = () => {
      throw new RpcError('Unavailable', 'gone');
    };
    expect(await failure(manager().ensureImageExists(request()))).toEqual([
      'ImageInspectError',
      'Failed to inspect image "": rpc error: code = Unavailable desc = gone',
    ]);
  });

  test('reports a Secret that cannot be decoded', async () => {
    const broken = { ...secret('s', 'u'), data: { '.dockercfg': Buffer.from('[]').toString('base64') } };
    const text = 'json: cannot unmarshal array into Go value of type credentialprovider.DockerConfig';
    expect(await failure(manager().ensureImageExists(request({ pullSecrets: [broken] })))).toEqual([text, text]);
  });

  test('reports an intent that cannot be written', async () => {
    files.onWrite = () => {
      throw new Error('no space left');
    };
    expect(await failure(manager().ensureImageExists(request()))).toEqual([
      'failed to record image pull intent: no space left',
      'Failed to record image pull intent for container image "r.io/app": failed to record image pull intent: no space left',
    ]);
    expect(images.pulls).toEqual([]);
  });

  test.each([
    ['failed to resolve reference', 'ErrImagePull', 'failed to resolve reference'],
    [
      'RegistryUnavailable: 503',
      'RegistryUnavailable',
      'image pull failed for r.io/app because the registry is unavailable: 503',
    ],
    [
      'SignatureValidationFailed: bad',
      'SignatureValidationFailed',
      'image pull failed for r.io/app because the signature validation failed: bad',
    ],
  ])('reports a failed pull: %s', async (text, reason, message) => {
    images.onPull = () => {
      throw new RpcError('Unknown', text);
    };
    const manages = manager();
    expect(await failure(manages.ensureImageExists(request()))).toEqual([reason, message]);
    expect(await failure(manages.ensureImageExists(request()))).toEqual([
      'ImagePullBackOff',
      `Back-off pulling image "r.io/app": ${reason}: ${message}`,
    ]);
    expect(events).toEqual([
      'Normal Pulling Pulling image "r.io/app" spec.containers{app}',
      `Warning Failed Failed to pull image "r.io/app": ${text} spec.containers{app}`,
      'Normal BackOff Back-off pulling image "r.io/app" spec.containers{app}',
    ]);
    expect([...files.held]).toEqual([]);
  });

  test('includes a gRPC code other than Unknown in the error', async () => {
    images.onPull = () => {
      throw new RpcError('NotFound', 'no such image');
    };
    expect(await failure(manager().ensureImageExists(request()))).toEqual([
      'ErrImagePull',
      'rpc error: code = NotFound desc = no such image',
    ]);
  });

  test('backs off a failed image for 10 s, doubling up to 5 minutes', async () => {
    images.onPull = () => {
      throw new RpcError('Unknown', 'no');
    };
    const manages = manager();
    const waits: number[] = [];
    await failure(manages.ensureImageExists(request()));
    for (let attempt = 0; attempt < 7; attempt++) {
      const { length } = images.pulls;
      let seconds = 0;
      for (; images.pulls.length === length; seconds += 5) {
        await clock.sleep(5000);
        await failure(manages.ensureImageExists(request()));
      }
      waits.push(seconds);
    }
    expect(waits).toEqual([10, 20, 40, 80, 160, 300, 300]);
  });

  test('does not delay other pods after a pod’s failure', async () => {
    images.onPull = () => {
      throw new RpcError('Unknown', 'no');
    };
    const manages = manager();
    await failure(manages.ensureImageExists(request()));
    expect(await failure(manages.ensureImageExists(request({ pod: aPod('q') })))).toEqual(['ErrImagePull', 'no']);
  });
});

describe('credentials of a pull', () => {
  test('tries the pod’s credentials before the node’s and reports all failures', async () => {
    keyring.add(new Map([['r.io', { username: 'node', password: 'p', email: '' }]]));
    images.onPull = (_, auth) => {
      throw new RpcError('Unknown', `no ${auth?.username ?? ''}`);
    };
    const pullSecrets = [secret('a', 'one'), secret('b', 'two')];
    expect(await failure(manager().ensureImageExists(request({ pullSecrets })))).toEqual([
      'ErrImagePull',
      '[no one, no two, no node]',
    ]);
    expect(images.pulls).toEqual(['one@r.io/app:latest', 'two@r.io/app:latest', 'node@r.io/app:latest']);
  });

  const other = aPod('q');
  const withSecret = request({ pullSecrets: [secret('a', 'one')] });
  test.each<[string, Partial<ImageRequest>, boolean]>([
    ['without a secret', {}, true],
    ['with the same secret', { pullSecrets: [secret('a', 'one')] }, false],
    ['with the same credential in another secret', { pullSecrets: [secret('b', 'one')] }, false],
    ['with the same secret, changed', { pullSecrets: [secret('a', 'two')] }, false],
    ['with another credential', { pullSecrets: [secret('b', 'two')] }, true],
  ])('verifies an image that was pulled with a secret for a pod %s', async (_, overrides, pulls) => {
    await manager().ensureImageExists(withSecret);
    images.pulls.length = 0;
    // The records survive the process.
    await manager().ensureImageExists(request({ pod: other, ...overrides }));
    expect(images.pulls.length > 0).toBe(pulls);
  });

  test('rejects an image that was pulled with a secret for a pod with policy Never and no secret', async () => {
    await manager().ensureImageExists(withSecret);
    const never = request({ pod: other, pullPolicy: 'Never' });
    expect(await failure(manager().ensureImageExists(never))).toEqual(['ErrImageNeverPull', expect.any(String)]);
  });

  /** A plugin that provides credentials for service accounts. */
  const plugins: Pick<ImageManagerOptions, 'podKeyring'> = {
    podKeyring({ namespace, serviceAccountName: name }) {
      const given = new BasicKeyring();
      const login = { username: `plugin for ${name}`, password: 'p', email: '' };
      given.add(
        new Map([['r.io', login]]),
        name === '' ? {} : { serviceAccount: { uid: `uid-${name}`, namespace, name } },
      );
      return given;
    },
  };
  const ofAccount = (name: string, serviceAccountName: string): Pod => aPod(name, { spec: { serviceAccountName } });

  test('tries credentials of plugins after those of the pod and the node', async () => {
    keyring.add(new Map([['r.io', { username: 'node', password: 'p', email: '' }]]));
    images.onPull = (_, auth) => {
      throw new RpcError('Unknown', `no ${auth?.username ?? ''}`);
    };
    const asked = request({ pod: ofAccount('a', 'robot'), pullSecrets: [secret('a', 'one')] });
    expect(await failure(manager(DEFAULT_PULL_LIMITS, plugins).ensureImageExists(asked))).toEqual([
      'ErrImagePull',
      '[no one, no node, no plugin for robot]',
    ]);
  });

  test.each([
    ['robot', 'robot', false],
    ['robot', 'other', true],
    ['', 'other', false],
  ])(
    'checks whether an image that a plugin pulled for account "%s" is pulled again for "%s": %s',
    async (first, then, pulls) => {
      await manager(DEFAULT_PULL_LIMITS, plugins).ensureImageExists(request({ pod: ofAccount('a', first) }));
      images.pulls.length = 0;
      await manager(DEFAULT_PULL_LIMITS, plugins).ensureImageExists(request({ pod: ofAccount('b', then) }));
      expect(images.pulls.length > 0).toBe(pulls);
    },
  );

  test('permits every pod to use an image that was pulled without credentials', async () => {
    await manager().ensureImageExists(request());
    images.pulls.length = 0;
    await manager().ensureImageExists(request({ pod: other }));
    expect(images.pulls).toEqual([]);
  });
});

describe('limits of concurrent pulls', () => {
  test.each<[PullLimits, number]>([
    [{ serialize: true, qps: 0, burst: 0 }, 1],
    [{ serialize: false, maxParallel: 2, qps: 0, burst: 0 }, 2],
    [{ serialize: false, qps: 0, burst: 0 }, 4],
  ])('limits the concurrency with %o to %i', async (limits, most) => {
    const gate = Promise.withResolvers<void>();
    let [running, seen] = [0, 0];
    images.onPull = async () => {
      seen = Math.max(seen, ++running);
      await gate.promise;
      running--;
    };
    const manages = manager(limits);
    const all = ['a', 'b', 'c', 'd'].map((image) => manages.ensureImageExists(request({ image })));
    await settled();
    gate.resolve();
    await Promise.all(all);
    expect(seen).toBe(most);
  });

  test('fails pulls beyond the burst', async () => {
    const manages = manager({ serialize: false, qps: 5, burst: 2 });
    const pulls = ['a', 'b', 'c'].map((image) => failure(manages.ensureImageExists(request({ image }))));
    expect((await Promise.all(pulls)).filter(Array.isArray)).toEqual([['ErrImagePull', 'pull QPS exceeded']]);
  });
});

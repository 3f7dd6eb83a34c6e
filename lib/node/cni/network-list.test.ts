import { expect, test } from 'vitest';
import type { ExecutionEnd } from '#lib/machinery/execution.ts';
import { cachedAttachments, cachedPortMappings } from './cache.ts';
import { networkConfFromBytes } from './conf.ts';
import { supportedVersions } from './invoke.ts';
import { CNIConfig } from './network-list.ts';
import { FakePlugins, MemoryCache } from './testing.ts';
import type { RuntimeConf } from './types.ts';

const listOf = (text: string) => networkConfFromBytes(Buffer.from(text));
const simple = (cniVersion: string, more = '') =>
  listOf(`{"cniVersion":"${cniVersion}","name":"net",${more}"plugins":[{"type":"a"},{"type":"b"}]}`);
const RT: RuntimeConf = { containerId: 'c1', netns: '/ns', ifName: 'eth0' };
const RESULT = '{"cniVersion":"1.0.0","ips":[{"address":"10.0.0.2/24"}]}';

function setUp(answer?: ConstructorParameters<typeof FakePlugins>[0]) {
  const plugins = new FakePlugins(answer);
  const cache = new MemoryCache();
  return { plugins, cache, cni: new CNIConfig(plugins, cache) };
}

/** A list, the outputs of its plugins, an attachment, and the file that libcni 1.3.0 writes. */
const RECORDED: readonly (readonly [
  conf: string,
  answers: readonly string[],
  rt: Partial<RuntimeConf>,
  file: string,
])[] = [
  [
    '{"cniVersion":"1.0.0","name":"net","plugins":[{"type":"bridge","big":1e21,"n":1.50,"h":"<&>"},{"type":"portmap","capabilities":{"portMappings":true,"mac":false}},{"type":"bandwidth","capabilities":{"bandwidth":true}}]}',
    [
      '{"interfaces":[{"name":"eth0","sandbox":"/var/run/netns/x"}],"ips":[{"interface":0,"address":"10.0.0.2/24","gateway":"10.0.0.1"}],"routes":[{"dst":"0.0.0.0/0"}],"extra":true}',
      '{"cniVersion":"1.0.0","ips":[{"address":"10.0.0.2/24"}],"dns":{}}',
      '{"cniVersion":"1.0.0","interfaces":[{"name":"a<b"}],"ips":[{"address":"10.0.0.2/24"}],"dns":{}}',
    ],
    {
      netns: '/var/run/netns/x',
      args: [
        ['IgnoreUnknown', '1'],
        ['K8S_POD_NAME', 'a'],
      ],
      capabilityArgs: {
        portMappings: [{ hostPort: 80, containerPort: 8080, protocol: 'tcp' }],
        mac: '0a:58',
        bandwidth: { ingressRate: 1000, ingressBurst: 4_294_967_295 },
      },
    },
    '{"kind":"cniCacheV1","containerId":"c1","config":"eyJjbmlWZXJzaW9uIjoiMS4wLjAiLCJuYW1lIjoibmV0IiwicGx1Z2lucyI6W3sidHlwZSI6ImJyaWRnZSIsImJpZyI6MWUyMSwibiI6MS41MCwiaCI6IjwmPiJ9LHsidHlwZSI6InBvcnRtYXAiLCJjYXBhYmlsaXRpZXMiOnsicG9ydE1hcHBpbmdzIjp0cnVlLCJtYWMiOmZhbHNlfX0seyJ0eXBlIjoiYmFuZHdpZHRoIiwiY2FwYWJpbGl0aWVzIjp7ImJhbmR3aWR0aCI6dHJ1ZX19XX0=","ifName":"eth0","networkName":"net","netns":"/var/run/netns/x","cniArgs":[["IgnoreUnknown","1"],["K8S_POD_NAME","a"]],"capabilityArgs":{"bandwidth":{"ingressBurst":4294967295,"ingressRate":1000},"mac":"0a:58","portMappings":[{"containerPort":8080,"hostPort":80,"protocol":"tcp"}]},"result":{"cniVersion":"1.0.0","interfaces":[{"name":"a\\u003cb"}],"ips":[{"address":"10.0.0.2/24"}]}}',
  ],
  [
    '{"cniVersion":"0.4.0","name":"net","plugins":[{"type":"bridge"}]}',
    ['{"cniVersion":"0.4.0","ips":[{"version":"4","address":"10.0.0.2/24"}]}'],
    { netns: '' },
    '{"kind":"cniCacheV1","containerId":"c1","config":"eyJjbmlWZXJzaW9uIjoiMC40LjAiLCJuYW1lIjoibmV0IiwicGx1Z2lucyI6W3sidHlwZSI6ImJyaWRnZSJ9XX0=","ifName":"eth0","networkName":"net","result":{"cniVersion":"0.4.0","dns":{},"ips":[{"address":"10.0.0.2/24","version":"4"}]}}',
  ],
  [
    '{"cniVersion":"0.2.0","name":"net","plugins":[{"type":"bridge"}]}',
    ['{"ip4":{"ip":"10.0.0.2/24"}}'],
    { netns: '/n' },
    '{"kind":"cniCacheV1","containerId":"c1","config":"eyJjbmlWZXJzaW9uIjoiMC4yLjAiLCJuYW1lIjoibmV0IiwicGx1Z2lucyI6W3sidHlwZSI6ImJyaWRnZSJ9XX0=","ifName":"eth0","networkName":"net","netns":"/n","result":{"cniVersion":"0.2.0","dns":{},"ip4":{"ip":"10.0.0.2/24"}}}',
  ],
];

test.each(RECORDED)('writes the same file as libcni, byte for byte, for ADD of %s', async (conf, answers, rt, file) => {
  let calls = 0;
  const { cni, cache } = setUp(() => answers[calls++] ?? '');
  await cni.addNetworkList(listOf(conf), { ...RT, ...rt });
  expect([...cache.files].map(([name, bytes]) => [name, Buffer.from(bytes).toString()])).toEqual([
    ['net-c1-eth0', file],
  ]);
});

test('passes each plugin the previous result and the values of its own capabilities, like libcni', async () => {
  const [conf, answers, rt] = RECORDED[0] ?? ['', [], {}];
  let calls = 0;
  const { cni, plugins } = setUp(() => answers[calls++] ?? '');
  await cni.addNetworkList(listOf(conf), { ...RT, ...rt });
  expect(plugins.calls).toEqual([
    [
      'ADD',
      'bridge',
      '{"big":1e+21,"cniVersion":"1.0.0","h":"\\u003c\\u0026\\u003e","n":1.5,"name":"net","type":"bridge"}',
    ],
    [
      'ADD',
      'portmap',
      '{"capabilities":{"mac":false,"portMappings":true},"cniVersion":"1.0.0","name":"net","prevResult":{"cniVersion":"1.0.0","interfaces":[{"name":"eth0","sandbox":"/var/run/netns/x"}],"ips":[{"address":"10.0.0.2/24","gateway":"10.0.0.1","interface":0}],"routes":[{"dst":"0.0.0.0/0"}]},"runtimeConfig":{"portMappings":[{"containerPort":8080,"hostPort":80,"protocol":"tcp"}]},"type":"portmap"}',
    ],
    [
      'ADD',
      'bandwidth',
      '{"capabilities":{"bandwidth":true},"cniVersion":"1.0.0","name":"net","prevResult":{"cniVersion":"1.0.0","ips":[{"address":"10.0.0.2/24"}]},"runtimeConfig":{"bandwidth":{"ingressBurst":4294967295,"ingressRate":1000}},"type":"bandwidth"}',
    ],
  ]);
  expect(Object.fromEntries((plugins.environments[0] ?? []).map(({ name, value }) => [name, value]))).toEqual({
    CNI_COMMAND: 'ADD',
    CNI_CONTAINERID: 'c1',
    CNI_NETNS: '/var/run/netns/x',
    CNI_ARGS: 'IgnoreUnknown=1;K8S_POD_NAME=a',
    CNI_IFNAME: 'eth0',
    CNI_PATH: '/absent:/bin',
  });
});

test('runs CHECK in plugin order and DEL in reverse, with the cached result, and DEL removes it', async () => {
  const { cni, plugins, cache } = setUp(() => RESULT);
  const list = simple('1.0.0');
  await cni.addNetworkList(list, RT);
  await cni.checkNetworkList(list, RT);
  await cni.delNetworkList(list, RT);
  await cni.delNetworkList(list, RT);
  const hasResult = plugins.calls.map(([command, plugin, stdin]) => [command, plugin, stdin.includes('prevResult')]);
  expect(hasResult.slice(2)).toEqual([
    ['CHECK', 'a', true],
    ['CHECK', 'b', true],
    ['DEL', 'b', true],
    ['DEL', 'a', true],
    ['DEL', 'b', false],
    ['DEL', 'a', false],
  ]);
  expect(cache.files.size).toBe(0);
});

test('converts a cached result to the current version of the list', async () => {
  const { cni, plugins } = setUp(() => RESULT);
  await cni.addNetworkList(simple('1.0.0'), RT);
  await cni.delNetworkList(simple('0.4.0'), RT);
  expect(plugins.calls.at(-1)?.[2]).toContain(
    '"prevResult":{"cniVersion":"0.4.0","dns":{},"ips":[{"address":"10.0.0.2/24","version":"4"}]}',
  );
  await cni.addNetworkList(simple('1.0.0'), RT);
  await cni.delNetworkList(simple('0.3.1'), RT);
  expect(plugins.calls.at(-1)?.[2]).not.toContain('prevResult');
});

test('removes an attachment whose cache file cannot be read', async () => {
  const { cni, cache } = setUp();
  cache.files.set('net-c1-eth0', Buffer.from('{'));
  await cni.delNetworkList(simple('1.0.0'), RT);
  expect(cache.files.size).toBe(0);
});

test.each<[why: string, version: string, more: string, message: string | undefined]>([
  ['is refused before 0.4.0', '0.3.1', '', 'configuration version "0.3.1" does not support the CHECK command'],
  ['does nothing with disableCheck', '1.0.0', '"disableCheck":true,', undefined],
])('CHECK %s', async (_, version, more, message) => {
  const { cni, plugins } = setUp();
  const end = cni.checkNetworkList(simple(version, more), RT).catch((error: Error) => error.message);
  expect([await end, plugins.calls]).toEqual([message, []]);
});

test('keeps the attachment in the cache if a plugin fails DEL', async () => {
  const { cni, cache } = setUp((command) => (command === 'DEL' ? { failure: 'exit status 1' } : RESULT));
  await cni.addNetworkList(simple('1.0.0'), RT);
  await expect(cni.delNetworkList(simple('1.0.0'), RT)).rejects.toThrow(
    'plugin type="b" failed (delete): netplugin failed with no error message: exit status 1',
  );
  expect(cache.files.size).toBe(1);
});

test.each<[why: string, end: Partial<ExecutionEnd>, message: string]>([
  ['tells why', { failure: 'exit status 1', stdout: Buffer.from('{"code":7,"msg":"bad","details":"x"}') }, 'bad; x'],
  ['writes to standard error', { failure: 'exit status 2', stderr: 'panic\n' }, 'netplugin failed: "panic\\n"'],
  ['dies', { failure: 'signal: SIGKILL' }, 'netplugin failed with no error message: signal: SIGKILL'],
  [
    'hangs',
    { failure: 'context deadline exceeded', stdout: Buffer.from('{') },
    'netplugin failed: context deadline exceeded',
  ],
  [
    'fails and prints no JSON',
    { failure: 'exit status 1', stdout: Buffer.from('no') },
    'netplugin failed but error parsing its diagnostic message "no": ',
  ],
  ['prints nothing', {}, 'failed to unmarshal raw result: unexpected end of JSON input'],
  [
    'lies about its version',
    { stdout: Buffer.from('{"cniVersion":"7.0.0"}') },
    'unsupported CNI result version "7.0.0"',
  ],
])('fails ADD for a plugin that %s', async (_, end, message) => {
  const { cni, cache } = setUp(() => end);
  await expect(cni.addNetworkList(simple('1.0.0'), RT)).rejects.toThrow(`plugin type="a" failed (add): ${message}`);
  expect(cache.files.size).toBe(0);
});

test.each<[rt: Partial<RuntimeConf>, message: string]>([
  [{ containerId: '' }, 'missing containerID'],
  [{ containerId: '../x' }, 'invalid characters in containerID; ../x'],
  [{ ifName: '' }, 'interface name is empty'],
  [{ ifName: 'abcdefghijklmnop' }, 'interface name is too long; interface name should be less than 16 characters'],
  [{ ifName: '..' }, 'interface name is . or ..'],
  [{ ifName: 'a b' }, 'interface name contains / or : or whitespace characters'],
])('runs no plugin for ADD of %j', async (rt, message) => {
  const { cni, plugins } = setUp();
  await expect(cni.addNetworkList(simple('1.0.0'), { ...RT, ...rt })).rejects.toThrow(message);
  expect(plugins.calls).toEqual([]);
});

test('detaches invalid attachments in GC and passes the valid ones to plugins of 1.1.0', async () => {
  const { cni, plugins, cache } = setUp(() => RESULT.replace('1.0.0', '1.1.0'));
  const list = simple('1.1.0');
  for (const containerId of ['c1', 'c2']) await cni.addNetworkList(list, { ...RT, containerId });
  await cni.addNetworkList({ ...list, name: 'other' }, RT);
  plugins.calls.length = 0;
  expect(await cni.gcNetworkList(list, [{ containerID: 'c2', ifname: 'eth0' }])).toEqual([]);
  expect(plugins.calls.map(([command, plugin]) => `${command} ${plugin}`)).toEqual(['DEL b', 'DEL a', 'GC a', 'GC b']);
  const valid = '[{"containerID":"c2","ifname":"eth0"}]';
  expect(plugins.calls.at(-1)?.[2]).toContain(`"cni.dev/attachments":${valid},"cni.dev/valid-attachments":${valid}`);
  expect([...cache.files.keys()]).toEqual(['net-c2-eth0', 'other-c1-eth0']);
  expect(await cni.gcNetworkList({ ...list, disableGC: true }, [])).toEqual([]);
  expect(cache.files.size).toBe(2);
});

test('continues GC after an error', async () => {
  const { cni } = setUp((command) => (command === 'DEL' || command === 'GC' ? { failure: 'exit status 1' } : RESULT));
  await cni.addNetworkList(simple('1.0.0'), RT);
  expect(await cni.gcNetworkList(simple('1.1.0'), [])).toHaveLength(3);
});

test('runs STATUS for plugins of 1.1.0 until one fails', async () => {
  const failing = { failure: 'exit status 1', stdout: Buffer.from('{"code":50,"msg":"not available"}') };
  const { cni, plugins } = setUp((_, plugin) => (plugin === 'b' ? failing : ''));
  await cni.getStatusNetworkList(simple('1.0.0'));
  expect(plugins.calls).toEqual([]);
  await expect(cni.getStatusNetworkList(simple('1.1.0'))).rejects.toMatchObject({ code: 50, message: 'not available' });
});

test('detaches a cached attachment with its original configuration', async () => {
  const { cni, plugins, cache } = setUp(() => RESULT);
  await cni.addNetworkList(simple('1.0.0'), {
    ...RT,
    capabilityArgs: { portMappings: [{ HostPort: 80, Protocol: 'TCP' }] },
  });
  cache.files.set('other', Buffer.from('{"kind":"other"}'));
  const attachments = await cachedAttachments(cache);
  expect(attachments).toMatchObject([{ network: 'net', containerId: 'c1', ifName: 'eth0', netns: '/ns' }]);
  expect(attachments.flatMap(cachedPortMappings)).toEqual([{ hostPort: 80, protocol: 'tcp', hostIP: '' }]);
  for (const one of attachments) await cni.delAttachment(one);
  expect(plugins.calls.slice(2).map(([command, plugin]) => `${command} ${plugin}`)).toEqual(['DEL b', 'DEL a']);
  expect([...cache.files.keys()]).toEqual(['other']);
});

test('retries a plugin up to six times while its file is being written', async () => {
  const { cni, plugins } = setUp(() => ({ failure: 'fork/exec /bin/a: text file busy' }));
  await expect(cni.addNetworkList(simple('1.0.0'), RT)).rejects.toThrow('text file busy');
  expect([plugins.calls.length, plugins.waits]).toEqual([6, [1000, 1000, 1000, 1000, 1000]]);
});

test('returns the capabilities of a list if all its plugins exist', async () => {
  const versions = '{"cniVersion":"1.0.0","supportedVersions":["0.4.0","1.0.0"]}';
  const { cni } = setUp((_, plugin) => (plugin === 'old' ? '{"cniVersion":"0.2.0"}' : versions));
  const list = listOf('{"cniVersion":"1.0.0","name":"n","plugins":[{"type":"a","capabilities":{"mac":true}}]}');
  expect(await cni.validateNetworkList(list)).toEqual(['mac']);
  const broken = listOf(
    '{"cniVersion":"1.0.0","name":"n","plugins":[{"type":"old"},{"type":"absent"},{"type":"../a"}]}',
  );
  await expect(cni.validateNetworkList(broken)).rejects.toThrow(
    '[plugin old does not support config version "1.0.0" failed to find plugin "absent" in path [/absent /bin] invalid plugin name: ../a]',
  );
});

test.each<[answer: string | Partial<ExecutionEnd>, expected: unknown]>([
  ['{"cniVersion":"0.2.0"}', ['0.1.0', '0.2.0']],
  [{ failure: 'exit status 1', stdout: Buffer.from('{"msg":"unknown CNI_COMMAND: VERSION"}') }, ['0.1.0']],
  ['{}', 'decoding version info: missing field cniVersion'],
  ['{"cniVersion":"1.0.0"}', 'decoding version info: missing field supportedVersions'],
])('derives from the VERSION output %j the supported versions %j', async (answer, expected) => {
  const { plugins } = setUp(() => answer);
  const end = supportedVersions(plugins, 'a').catch((error: Error) => error.message);
  expect(await end).toEqual(expected);
});

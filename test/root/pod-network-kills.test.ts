import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { aPod, FOREVER, shell } from './builders.ts';
import { leftoversAfterKills } from './leftovers.ts';
import { HERE, runIn } from './place.ts';
import { TestNode } from './test-node.ts';

const PLUGINS = '/usr/lib/cni';
const [HOLD, HELD] = ['/run/hold', '/run/held'];
/** A plugin in the chain that returns the previous result. It waits while a file names its command. */
const PLUGIN = `#!${process.execPath}
const fs = require('node:fs');
const { CNI_COMMAND: command } = process.env;
const conf = JSON.parse(fs.readFileSync(0, 'utf8'));
if (command === 'VERSION') console.log('{"cniVersion":"1.0.0","supportedVersions":["0.4.0","1.0.0"]}');
(function go() {
  const isHeld = fs.existsSync('${HOLD}') && fs.readFileSync('${HOLD}', 'utf8') === command;
  if (isHeld) fs.writeFileSync('${HELD}', '');
  if (isHeld) return void setTimeout(go, 50);
  if (command === 'ADD') console.log(JSON.stringify(conf.prevResult));
})();
`;
/** Programs that are killed while a plugin runs between two others. */
const CASES = (['ADD', 'DEL'] as const).flatMap((command) =>
  (['agent', 'containerd'] as const).map((program) => ({ program, command })),
);
/** The cases that every run tests. */
const CHOSEN = ['agent ADD', 'containerd ADD'];
const folder = mkdtempSync(join(tmpdir(), 'davit-cni-kills-'));
let node: TestNode;

beforeAll(async () => {
  const [plugins, networks] = [join(folder, 'plugins'), join(folder, 'networks')];
  cpSync(PLUGINS, plugins, { recursive: true, dereference: true });
  writeFileSync(join(plugins, 'hold'), PLUGIN, { mode: 0o755 });
  runIn(HERE, 'mount', '--bind', plugins, PLUGINS);
  mkdirSync(networks);
  const ipam = { type: 'host-local', subnet: '10.244.0.0/24', routes: [{ dst: '0.0.0.0/0' }] };
  const bridge = { type: 'bridge', bridge: 'cni0', isGateway: true, ipam };
  const portmap = { type: 'portmap', capabilities: { portMappings: true } };
  const chain = [bridge, { type: 'hold' }, portmap];
  const conf = JSON.stringify({ cniVersion: '1.0.0', name: 'held', plugins: chain });
  writeFileSync(join(networks, '10-held.conflist'), conf);
  const flags = [
    '--network-plugin=cni',
    `--cni-conf-dir=${networks}`,
    '--configure-routes=false',
    '--sync-frequency=5s',
  ];
  node = await TestNode.startWith({ networks, network: true, agent: flags });
});
afterAll(() => node[Symbol.asyncDispose]());

const log = (): string => node.log.slice(-3000);
/** Traces of attachments: addresses, results, rules for ports of the host. */
const traces = (): string[] => [
  ...globSync('/var/lib/cni/networks/held/10.244.*').map((path) => `${path} ${readFileSync(path, 'utf8')}`),
  ...globSync('/var/lib/cni/results/*'),
  ...node.first
    .run('iptables-save', '-t', 'nat')
    .split('\n')
    .filter((line) => line.includes('--dport 8099')),
];

test.each(
  CASES.filter(
    (one) => process.env['DAVIT_ROOT_ALL'] !== undefined || CHOSEN.includes(`${one.program} ${one.command}`),
  ),
)('a kill of $program during $command of a plugin leaves no address, rule or result', async ({ program, command }) => {
  const ports = [{ containerPort: 80, hostPort: 8099 }];
  const pod = aPod('held', '', { containers: [shell(FOREVER, { ports })] });
  const hold = (): void => writeFileSync(HOLD, command);
  if (command === 'ADD') hold();
  await node.apply(pod);
  if (command === 'DEL') {
    await node.output('wait', '--for=condition=Ready', 'pod/held', '--timeout=90s');
    expect(traces().join('\n')).toContain('--dport 8099');
    hold();
    await node.output('delete', 'pod', 'held', '--wait=false');
  }
  await eventually(() => existsSync(HELD), log);
  if (program === 'agent') node.killAgent();
  else node.runtime.kill();
  await node.output('delete', 'pod', 'held', '--wait=false', '--ignore-not-found');
  for (const path of [HOLD, HELD]) rmSync(path);
  if (program === 'agent') await node.restartAgent();
  else await node.runtime.restart();
  await node.isReady();
  await node.output('wait', '--for=delete', 'pod/held', '--timeout=90s');
  await eventually(
    () => traces().length === 0,
    () => `${traces().join('\n')}\n${log()}`,
  );
});

test('a host port of a killed pod is free for the next pod', async () => {
  const SERVE = 'mkdir /www; echo next > /www/index.html; exec httpd -f -p 80 -h /www';
  const ports = [{ containerPort: 80, hostPort: 8099 }];
  await node.apply(aPod('next', '', { containers: [shell(SERVE, { ports })] }));
  await node.output('wait', '--for=condition=Ready', 'pod/next', '--timeout=90s');
  await eventually(
    () => node.first.run('sh', '-c', `busybox wget -qO- http://${HERE.address}:8099/ || true`) === 'next\n',
    log,
  );
  await node.output('delete', 'pod', 'next', '--timeout=60s');
  await eventually(
    () => leftoversAfterKills(node.log).length === 0,
    () => leftoversAfterKills(node.log).join('\n'),
  );
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { davit } from './davit.ts';

const folder = mkdtempSync(join(tmpdir(), 'davit-words-'));
const [bad, lines, gates] = [join(folder, 'bad.yaml'), join(folder, 'lines'), join(folder, 'gates.yaml')];
beforeAll(() => {
  writeFileSync(bad, 'a: 1\nb: [c\n');
  writeFileSync(gates, 'apiVersion: davit.dev/v1\nkind: Config\nfeatureGates: [Nope=true]\n');
  writeFileSync(lines, '{"davit":"export","format":1}\n{}\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  [['sart'], 'there is no command sart; the nearest is start'],
  [['trace', 'deployment/web'], 'there is no command trace; the nearest is kubectl davit trace'],
  [['types', bad], `${bad} is neither YAML nor JSON, by its line 3: `],
  [['manifests', bad], `${bad} is no file of TypeScript or JavaScript`],
  [['restore'], 'name what was put back: --data-dir PATH or --table NAME'],
  [['import', lines, '--data-dir', join(folder, 'data')], `${lines}: line 2: a line is none of an export`],
])('%j is refused', async (args, why) => {
  await expect(davit(args)).rejects.toThrow(why);
});

test.each([
  [['--feature-gates', 'Nope=true'], '--feature-gates: unrecognized feature gate: Nope'],
  [['--feature-gates', 'AllAlpha=true'], 'cannot set feature gate AllAlpha to true, feature is locked to false'],
  [['--config', gates], '--feature-gates: unrecognized feature gate: Nope'],
  [['--controllers', 'nope'], '--controllers: '],
  [['--allocate-node-cidrs'], '--cluster-cidr: it has to be given with --allocate-node-cidrs'],
  [['--max-requests-inflight', '0', '--max-mutating-requests-inflight', '0'], 'nothing would be served'],
])('--print-config refuses %j, as a start does', async (args, why) => {
  await expect(davit(['--print-config', ...args])).rejects.toThrow(why);
});

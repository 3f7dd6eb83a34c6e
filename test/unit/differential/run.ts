import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { Case, Suite } from './case.ts';
import { compare, type Difference, differences, type Recorded } from './compare.ts';
import { Draw } from './draw.ts';
import type { Peer } from './peer.ts';
import { definitions } from './suites/definitions.ts';
import { objects } from './suites/objects.ts';
import { patches } from './suites/patches.ts';
import { requests } from './suites/requests.ts';
import { scheduling } from './suites/scheduling.ts';
import { yaml } from './suites/yaml.ts';

export const SUITES: Readonly<Record<string, Suite>> = { requests, objects, patches, definitions, yaml, scheduling };

export interface RunOptions {
  readonly reference: Peer;
  readonly subject: Peer;
  readonly suites: readonly string[];
  /** The number of cases in each suite. */
  readonly cases: number;
  readonly seed: number;
  /** A file for the reference's responses, one case per line. It can be replayed without the reference. */
  readonly record?: string;
  print(line: string): void;
}

/** The number of cases and responses, and the cases with a difference. */
export interface Outcome {
  readonly cases: number;
  readonly equal: number;
  readonly different: number;
}

/** Runs the suites. Prints each difference with the seed that reproduces it, and then a table. */
export async function run(options: RunOptions): Promise<Outcome> {
  const namespace = await begin(options);
  const rows: Outcome[] = [];
  const file = options.record === undefined ? undefined : createWriteStream(options.record);
  for (const name of options.suites)
    rows.push(await runSuite(name, namespace, options, (line) => void file?.write(line)));
  if (file !== undefined) {
    file.end();
    await finished(file);
  }
  await end(options, namespace);
  const table = options.suites.map(
    (name, i) => `| ${name} | ${rows[i]?.cases} | ${rows[i]?.equal} | ${rows[i]?.different} |`,
  );
  for (const line of ['| suite | cases | equal answers | cases that differ |', '| --- | --- | --- | --- |', ...table])
    options.print(line);
  return rows.reduce((sum, row) => ({
    cases: sum.cases + row.cases,
    equal: sum.equal + row.equal,
    different: sum.different + row.different,
  }));
}

async function runSuite(
  name: string,
  namespace: string,
  options: RunOptions,
  record: (line: string) => void,
): Promise<Outcome> {
  const suite = SUITES[name];
  if (suite === undefined) throw new TypeError(`there is no suite ${name}`);
  let equal = 0;
  let different = 0;
  for (let i = 0; i < options.cases; i += 1) {
    const seed = options.seed + i;
    const it = suite(new Draw(seed), `${name.slice(0, 1)}${seed}-${process.pid}`);
    const compared = await compare(it, options.reference, options.subject, namespace);
    equal += compared.equal;
    if (compared.difference !== undefined) {
      different += 1;
      report(name, seed, compared.difference, options);
    } else if (isPlain(it)) record(`${JSON.stringify(line(it, namespace, compared.recorded))}\n`);
  }
  return { cases: options.cases, equal, different };
}

/** Whether the compared requests by themselves reproduce the case: no step waits, and the other steps only clean up. */
const isPlain = ({ steps }: Case): boolean =>
  steps.every(({ until, part, ignored, method }) => !until && !part && (ignored === undefined || method === 'DELETE'));

const line = (it: Case, namespace: string, recorded: readonly Recorded[]): object => ({
  name: it.name,
  namespace,
  steps: recorded.map(({ step: { method, path, headers, body }, answer }) => ({ method, path, headers, body, answer })),
});

function report(
  suite: string,
  seed: number,
  { case: it, step, reference, subject }: Difference,
  { print }: RunOptions,
): void {
  print(`${suite} --seed ${seed} --cases 1 (${it.name}): ${step.method} ${step.path}`);
  if (step.body !== undefined) print(`  sent: ${step.body.slice(0, 1000)}`);
  for (const difference of differences(reference, subject).slice(0, 10)) print(`  ${difference}`);
}

/** A namespace only for this run, with the service account that a controller creates elsewhere. */
async function begin({ reference, subject, seed }: RunOptions): Promise<string> {
  const namespace = `differential-${seed}-${process.pid}`;
  const headers = { 'content-type': 'application/json' };
  const send = (path: string, object: object) =>
    Promise.all(
      [reference, subject].map((peer) =>
        peer.ask({ method: 'POST', path, headers, body: JSON.stringify(object) }, namespace),
      ),
    );
  await send('/api/v1/namespaces', { metadata: { name: namespace } });
  await send('/api/v1/namespaces/{ns}/serviceaccounts', { metadata: { name: 'default' } });
  return namespace;
}

async function end({ reference, subject }: RunOptions, namespace: string): Promise<void> {
  await Promise.all(
    [reference, subject].map((peer) => peer.ask({ method: 'DELETE', path: '/api/v1/namespaces/{ns}' }, namespace)),
  );
}

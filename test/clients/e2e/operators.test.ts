import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kubeconfigOf } from '#lib/helpers/clientcmd/new-kubeconfig.ts';
import type { ApiConnection } from '#test/clients/integration/api-connection.ts';
import { DataDirectory, DavitProcess } from '#test/clients/integration/davit-process.ts';
import { buildGoOperator } from '#test/support/clients/go-operator.ts';
import { buildJavaOperator } from '#test/support/clients/java-operator.ts';
import { installKopf } from '#test/support/clients/python.ts';
import { eventually } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import { needing } from '#test/support/skip.ts';
import { changeGreeting, defineGreetings, endGreeting, newGreeting } from './greetings.ts';
import { RunningProgram } from './program.ts';

/** An operator on an unmodified library, and the pattern of problems in its log. The pattern excludes problems of a slow machine. */
interface Operator {
  readonly title: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly trouble: RegExp;
  /** The response status of its watches: 101 if they are WebSockets. */
  readonly watches: string;
  readonly missing?: string;
}

const HANDLERS = join(import.meta.dirname, '../../support/clients/python/kopf_operator.py');
const go = await buildGoOperator();
const kopf = await installKopf();
const java = await buildJavaOperator();

const operators: readonly Operator[] = [
  {
    title: 'controller-runtime',
    ...('missing' in go ? { program: '', missing: go.missing } : { program: go.path }),
    args: ['--for=10m', '--leader-elect=false'],
    trouble: /"level":"(?:error|warn|dpanic|panic|fatal)"|^[EWF]\d{4} /m,
    watches: '200',
  },
  {
    title: 'kopf',
    ...('missing' in kopf ? { program: '', missing: kopf.missing } : { program: kopf.path }),
    args: ['-m', 'kopf', 'run', '--standalone', '--namespace=default', HANDLERS],
    trouble: /\[(?:WARNING|ERROR|CRITICAL)\s*\]|^Traceback/m,
    watches: '200',
  },
  {
    title: 'fabric8',
    args: [],
    program: '',
    ...java,
    trouble: /\] (?:WARN|ERROR) (?!\S+BlockedThreadChecker)/,
    watches: '101',
  },
];

/** Messages about a stopped server, which do not indicate a problem. */
const NO_SERVER = /refused|reset|EOF|closed|broken pipe|disconnected|lost connection/i;

describe.each(operators)('an operator on $title', ({ title, program, args, trouble, watches, missing }) => {
  const directory = new DataDirectory();
  let davit: DavitProcess | undefined;

  beforeAll(async () => {
    if (missing === undefined) davit = await DavitProcess.start(directory.path, await freePort());
  });
  afterAll(async () => {
    await davit?.[Symbol.asyncDispose]();
    directory[Symbol.dispose]();
  });

  test('reconciles, and continues after the server was killed and restarted', needing(missing), async () => {
    if (davit === undefined) throw new Error('the server is there only while tests run');
    const { port } = davit;
    using api = davit.connect();
    const env = { KUBECONFIG: await operatorKubeconfig(api, davit, directory.path) };
    await defineGreetings(api);
    await using running = new RunningProgram(program, args, { env });
    await newGreeting(api, 'before');
    await changeGreeting(api, 'before', 'good day');
    const calm = troubleIn(running, trouble);
    const watched = await watchedNow(api);
    const killed = performance.now();
    await davit[Symbol.asyncDispose]();
    davit = await DavitProcess.start(directory.path, port);
    using again = davit.connect();
    // Until then it may act on outdated objects, and it logs such conflicts.
    await eventually(async () => expect(await watchedNow(again)).toEqual(watched));
    await changeGreeting(again, 'before', 'good evening');
    await newGreeting(again, 'after');
    await endGreeting(again, 'before');
    await endGreeting(again, 'after');
    console.log(`${title} went on ${Math.round(performance.now() - killed)} ms after the server was killed`);
    expect([...calm, ...troubleIn(running, trouble).filter((entry) => !NO_SERVER.test(entry))]).toEqual([]);
    expect(running.child.exitCode).toBe(null);
    await running.ended('SIGKILL');
    await eventually(async () => expect(await watchCodes(again)).toEqual([watches]));
  });
});

/** A kubeconfig for a service account, with the token that an operator in a pod would have. */
async function operatorKubeconfig(
  api: ApiConnection,
  { url, kubeconfig }: DavitProcess,
  folder: string,
): Promise<string> {
  await api.json('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'operator' } });
  await api.json('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'operator' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', name: 'operator', namespace: 'default' }],
  });
  const path = '/api/v1/namespaces/default/serviceaccounts/operator/token';
  const { status } = await api.json<{ status: { token: string } }>('POST', path, {});
  const data = /certificate-authority-data: (\S+)/.exec(readFileSync(kubeconfig, 'utf8'))?.[1] ?? '';
  const authority = Buffer.from(data, 'base64').toString();
  const own = join(folder, 'operator.kubeconfig');
  writeFileSync(own, kubeconfigOf({ name: 'operator', server: url, authority, user: { token: status.token } }));
  return own;
}

/** The statuses of its ended watches. */
async function watchCodes(api: ApiConnection): Promise<string[]> {
  const { text } = await api.send('GET', '/metrics');
  const ended = text
    .split('\n')
    .filter((line) => /^apiserver_request_total\{verb="WATCH".*resource="greetings"/.test(line));
  return [...new Set(ended.map((line) => /code="(\d+)"/.exec(line)?.[1] ?? ''))];
}

/** The watched kinds, one line each. */
async function watchedNow(api: ApiConnection): Promise<string[]> {
  const { text } = await api.send('GET', '/metrics');
  return text
    .split('\n')
    .filter((line) => /^apiserver_longrunning_requests\{.*verb="WATCH".*\} [1-9]/.test(line))
    .toSorted();
}

/** The log entries about problems. Each includes the following lines, because its stack trace has the reason. */
const troubleIn = ({ stdout, stderr }: RunningProgram, trouble: RegExp): string[] =>
  `${stdout}\n${stderr}`.split(/\n(?=\[|\{|[A-Z]\d{4} )/).filter((entry) => trouble.test(entry));

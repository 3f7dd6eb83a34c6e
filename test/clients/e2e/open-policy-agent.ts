import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { stringify } from 'yaml';
import { newAuthority } from '#local/certs.ts';
import { type Fetched, pathOf } from '#test/support/clients/cache.ts';
import { OPA_POLICIES } from '#test/support/clients/opa.ts';
import { eventually } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import { RunningProgram } from './program.ts';

/** Open Policy Agent on loopback with the policies of `test/support/clients/opa/policy`; `await using` kills it. */
export interface OpenPolicyAgent extends AsyncDisposable {
  /** The base URL of the decisions, which are named by the paths of the policies below `davit`. */
  readonly url: string;
  /** The CA that signs its certificate, PEM. */
  readonly authority: string;
  /** Writes a kubeconfig that a server uses to request that decision, and returns the path. */
  kubeconfig(decision: string, token?: string): string;
  /** Kills it early. */
  kill(): Promise<void>;
}

/** The policies contain this token. They reject a caller with another token. */
const TOKEN = 'the-token';

/** One agent for the tests of a file or group. `folder` holds their files and is removed at the end. */
export function useOpenPolicyAgent(
  fetched: Fetched,
): () => { readonly agent: OpenPolicyAgent; readonly folder: string } {
  let used: { readonly agent: OpenPolicyAgent; readonly folder: string } | undefined;
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'davit-opa-'));
    used = { agent: await openPolicyAgent(fetched, folder), folder };
  });
  afterAll(async () => {
    if (used === undefined) return;
    await used.agent.kill();
    rmSync(used.folder, { recursive: true, force: true });
  });
  return () => {
    if (used === undefined) throw new Error('Open Policy Agent is there only while tests run');
    return used;
  };
}

/** Starts it in a folder that receives its key and the kubeconfigs. Resolves when it responds. */
export async function openPolicyAgent(fetched: Fetched, folder: string): Promise<OpenPolicyAgent> {
  const authority = await newAuthority(new Date());
  const pair = await authority.issue({ name: 'opa' }, ['127.0.0.1']);
  const files = { certificate: join(folder, 'opa.crt'), key: join(folder, 'opa.key') };
  writeFileSync(files.certificate, pair.certificate);
  writeFileSync(files.key, pair.key, { mode: 0o600 });
  const address = `127.0.0.1:${await freePort()}`;
  const program = new RunningProgram(pathOf(fetched), opaArguments(address, files));
  await eventually(
    () => answers(`https://${address}/health`, authority.certificate),
    () => `Open Policy Agent:\n${program.stderr}`,
  );
  const url = `https://${address}/v0/data/davit`;
  const bundle = Buffer.from(authority.certificate).toString('base64');
  return {
    url,
    authority: authority.certificate,
    kubeconfig(decision, token = TOKEN) {
      const path = join(folder, `${decision.replaceAll('/', '-')}-${token}.kubeconfig`);
      const cluster = { server: `${url}/${decision}`, 'certificate-authority-data': bundle };
      const document = { clusters: [{ name: 'opa', cluster }], users: [{ name: 'davit', user: { token } }] };
      writeFileSync(path, stringify(document), { mode: 0o600 });
      return path;
    },
    kill: () => program[Symbol.asyncDispose](),
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

/** Its command line. It serves only TLS, authenticates callers by token, and does not check for newer versions of itself. */
function opaArguments(address: string, { certificate, key }: OpaFiles): readonly string[] {
  const serving = [`--addr=${address}`, `--tls-cert-file=${certificate}`, `--tls-private-key-file=${key}`];
  const asked = ['--authentication=token', '--authorization=basic', '--skip-version-check', '--log-level=error'];
  return ['run', '--server', ...serving, ...asked, OPA_POLICIES];
}

interface OpaFiles {
  readonly certificate: string;
  readonly key: string;
}

/** Whether it responds with 200. */
const answers = (url: string, ca: string): Promise<boolean> =>
  new Promise((resolve) => {
    const sent = request(url, { ca }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    sent.on('error', () => resolve(false));
    sent.end();
  });

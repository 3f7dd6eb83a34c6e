import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { containerBackends } from '#functions/apiserver/backends.ts';
import { configOf } from '#functions/apiserver/config.ts';
import { listen } from '#functions/apiserver/listening.ts';
import { openPlatform, type Surroundings } from '#functions/apiserver/platform.ts';
import { SYSTEM_MASTERS } from '#lib/server/authentication/user.ts';
import { MemoryTable } from '#test/support/dynamodb-local/memory-table.ts';
import type { Reaching } from './bench.ts';

const ADMIN_TOKEN = 'token-of-admin';
const POLICY = 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: Metadata }]\n';

/** The file of a deployment that has an audit policy. */
function shippedPolicy(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'davit-container-')), 'apiserver.json');
  writeFileSync(path, JSON.stringify({ flags: { auditPolicyFile: 'policy' }, files: { policy: POLICY } }));
  return path;
}

/** Additional environment of a container, and the addresses that users may reach via the proxy. */
export interface ContainerOptions {
  readonly env: Readonly<Record<string, string>>;
  isProxyable?(address: string): boolean;
}

/** The server program as a container runs it, with a table in memory. Reported errors are not printed. */
export async function aContainer({ env, isProxyable }: ContainerOptions): Promise<Reaching> {
  const config = configOf({
    DAVIT_FRONT_DOOR: 'container',
    DAVIT_TABLE: 'davit',
    DAVIT_CLUSTER_ID: 'test',
    DAVIT_ADMIN: 'arn:aws:iam::123456789012:role/Admin',
    DAVIT_OPTIONS: shippedPolicy(),
    ...env,
  });
  const { faults, restore } = reportedFaults();
  let auditLog = '';
  const audit = { write: (line: string) => void (auditLog += line), close: () => {} };
  const tokens = new Map([[ADMIN_TOKEN, { name: 'admin', groups: [SYSTEM_MASTERS] }]]);
  const given: Partial<Surroundings> = {
    table: new MemoryTable(),
    audit,
    backends: (kubelets, secret) => containerBackends(kubelets, secret, isProxyable && { isProxyable }),
  };
  const server = await listen(
    { ...config, host: '127.0.0.1', port: 0 },
    async (read, address) => (await openPlatform(read, address, tokens, given)).server,
  );
  return {
    url: `http://127.0.0.1:${server.port}`,
    adminToken: ADMIN_TOKEN,
    certificateAuthority: '',
    faults,
    auditLog: async () => auditLog,
    async close() {
      await server.close();
      restore();
    },
  };
}

/** Collects log lines that report errors from now on. Rejected requests are not errors. */
function reportedFaults(): { readonly faults: readonly string[]; restore(): void } {
  const faults: string[] = [];
  const { stdout } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = (chunk: Uint8Array | string, ...rest: unknown[]) => {
    const line = String(chunk);
    if (line.startsWith('{"level":"error","message":"request"')) return true;
    if (line.startsWith('{"level":"error"')) return faults.push(line) > 0;
    return Reflect.apply(write, stdout, [chunk, ...rest]) as boolean;
  };
  return { faults, restore: () => void (stdout.write = write) };
}

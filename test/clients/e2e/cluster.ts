import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import type { StartOptions } from '#local/start-options.ts';

/** A server in this process, for programs that use a kubeconfig. */
export interface Cluster {
  readonly server: RunningApiserver;
  /** A folder only for this cluster, removed at the end. */
  readonly folder: string;
  readonly kubeconfig: string;
}

/** The options of a test's server. */
type ClusterOptions = Pick<
  StartOptions,
  'functionsFolder' | 'scheduler' | 'simulatedNodes' | 'tokens' | 'kubelet' | 'reconcilers' | 'metricsApi' | 'clientCa'
>;

/** One in-memory server for the tests of a file or group. Fails if the server has reported an error by the end. */
export function useCluster(options: ClusterOptions | (() => Promise<ClusterOptions>) = {}): () => Cluster {
  let cluster: Cluster | undefined;
  const faults: string[] = [];
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'davit-client-'));
    const server = await startApiserver({
      ...(typeof options === 'function' ? await options() : options),
      reportFault(auditId, error) {
        if (!isClientGone(error)) faults.push(`${auditId} ${describe(error)}`);
      },
    });
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, server.kubeconfig, { mode: 0o600 });
    cluster = { server, folder, kubeconfig };
  });
  afterAll(async () => {
    if (cluster === undefined) return;
    await cluster.server.close();
    rmSync(cluster.folder, { recursive: true, force: true });
    expect(faults).toEqual([]);
  });
  return () => {
    if (cluster === undefined) throw new Error('the cluster is there only while tests run');
    return cluster;
  };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** A program may reset its connection when it ends. That is not an error of the server. */
function isClientGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
}

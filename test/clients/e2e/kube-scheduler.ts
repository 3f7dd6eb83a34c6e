import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { kubeconfigOf } from '#lib/helpers/clientcmd/new-kubeconfig.ts';
import { SCHEDULER_USER } from '#lib/scheduler/user.ts';
import type { User } from '#lib/server/authentication/user.ts';
import { type Fetched, pathOf } from '#test/support/clients/cache.ts';
import { freePort } from '#test/support/free-port.ts';
import type { Cluster } from './cluster.ts';
import { RunningProgram } from './program.ts';

const TOKEN = 'the-scheduler';

/** The token that upstream's scheduler authenticates with. Its user has only the permissions of upstream's roles. */
export const SCHEDULER_TOKENS: ReadonlyMap<string, User> = new Map([[TOKEN, SCHEDULER_USER]]);

export interface KubeScheduler {
  readonly program: RunningProgram;
  /** The URL of its health checks and metrics. */
  readonly url: string;
}

interface Started extends Pick<Cluster, 'folder' | 'server'> {
  /** The name of its only profile. */
  readonly schedulerName: string;
  /** The Lease in kube-system for leader election among several schedulers. */
  readonly lease: string;
}

/** Starts upstream's scheduler; the caller must end the program. */
export async function kubeScheduler(fetched: Fetched, started: Started): Promise<KubeScheduler> {
  const { folder, server, schedulerName, lease } = started;
  const port = await freePort();
  const kubeconfig = join(folder, 'kube-scheduler.kubeconfig');
  writeFileSync(
    kubeconfig,
    kubeconfigOf({ name: 'davit', server: server.url, authority: server.certificateAuthority, user: { token: TOKEN } }),
    { mode: 0o600 },
  );
  const configuration = join(folder, `kube-scheduler-${port}.yaml`);
  const document = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    clientConnection: { kubeconfig },
    leaderElection: {
      leaderElect: true,
      resourceNamespace: 'kube-system',
      resourceName: lease,
      leaseDuration: '10s',
      renewDeadline: '8s',
      retryPeriod: '1s',
    },
    profiles: [{ schedulerName }],
  };
  writeFileSync(configuration, stringify(document));
  const serving = ['--bind-address=127.0.0.1', `--secure-port=${port}`, `--cert-dir=${folder}`];
  const delegating = [`--authentication-kubeconfig=${kubeconfig}`, `--authorization-kubeconfig=${kubeconfig}`];
  const program = new RunningProgram(pathOf(fetched), [`--config=${configuration}`, ...serving, ...delegating]);
  return { program, url: `https://127.0.0.1:${port}` };
}

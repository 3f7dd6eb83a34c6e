import type { FunctionLimits } from '#adapters/server/function-thread/function-thread.ts';
import type { ApiserverOptions } from '#functions/apiserver/wiring.ts';
import type { DefinedReconciler } from '#lib/client/controller/define-reconciler.ts';
import type { Logger } from '#lib/client/controller/logger.ts';
import type { KeyPair } from '#lib/controllers/certificates/new-signer.ts';
import type { NodeRange } from '#lib/controllers/node-ipam/decide.ts';
import type { Collector } from '#lib/machinery/metrics/family.ts';
import type { CostModelName } from '#lib/poseidon/cost-models/cost-models.ts';
import type { SchedulerConfiguration } from '#lib/scheduler/apis/config/configuration.ts';
import type { DefinedAggregatedApi } from '#lib/sdk/extension-apiserver/define-aggregated-api.ts';
import type { DefinedWebhook } from '#lib/sdk/webhook-sdk/webhook.ts';
import type { ServiceAccountKeys } from '#lib/server/authentication/service-account/identity.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { HealthCheck } from '#lib/server/endpoints/health.ts';
import type { AuditOptions } from '#lib/server/options/audit.ts';
import type { WebhookFunctions } from '#lib/server/webhook/functions.ts';
import type { TransformerOf } from '#lib/storage/encryption/encrypted-store.ts';
import type { KubeletOptions } from './backends.ts';

/** How long a write waits for the disk. */
export type SyncMode = 'full' | 'normal' | 'off';

/** The options of a server. An unset option has upstream's default or a safe one. */
export interface StartOptions {
  /** The directory for objects and identity; undefined keeps everything in memory. */
  readonly dataDirectory?: string;
  /** Default 127.0.0.1: reachable from this machine only. */
  readonly host?: string;
  /**
   * The address that other machines use to reach the server (upstream's --advertise-address). Default `host`, or the machine's first
   * address.
   */
  readonly advertiseAddress?: string;
  /** Additional names and addresses for the server's own certificate, like kubeadm's extra SANs. */
  readonly certExtraSans?: readonly string[];
  /** Default 0: any free port. */
  readonly port?: number;
  /** When a write counts as durable. Default full: after the disk has confirmed it. */
  readonly sync?: SyncMode;
  /** Which controllers run, in the syntax of upstream's `--controllers`; false disables even the server's own. Default all. */
  readonly controllers?: readonly string[] | false;
  /** The scheduler's configuration; false disables it. No scheduler runs if `controllers` is false. Default: upstream's default profile. */
  readonly scheduler?: SchedulerConfiguration | false;
  /** Runs the scheduler of pods with `schedulerName: poseidon` with this cost model. By default, it does not run. */
  readonly poseidon?: CostModelName;
  /** Time in ms without a heartbeat after which a node is unhealthy. Default 50 s, as in upstream. */
  readonly nodeMonitorGracePeriod?: number;
  /** The ranges of nodes' pod CIDRs. Default none. */
  readonly nodeRanges?: readonly NodeRange[];
  /** The number of simulated nodes, whose pods run without executing anything. Default 0. Simulated nodes require controllers. */
  readonly simulatedNodes?: number;
  /** Additional reconcilers to run in this process. */
  readonly reconcilers?: readonly DefinedReconciler[];
  /** Additional webhooks to serve in this process. Their configurations are created. */
  readonly webhooks?: readonly DefinedWebhook[];
  /** Additional aggregated APIs to serve in this process. */
  readonly aggregatedApis?: readonly DefinedAggregatedApi[];
  /**
   * Serves `metrics.k8s.io` from the nodes' own metrics. A scrape of a node is reused for `resolution` milliseconds. Default not served.
   */
  readonly metricsApi?: { readonly resolution: number };
  /** A folder of reconcilers, webhooks and aggregated APIs. Each file runs in its own thread and is reloaded when it is saved. */
  readonly functionsFolder?: string;
  /** The limits for one such file. Default 30 seconds per call, 128 MiB, and 20 seconds to load. */
  readonly functionLimits?: Partial<FunctionLimits>;
  /** A file with the values of functions' secrets. Default: this process's environment variables. */
  readonly functionSecrets?: string;
  /** Additional health checks. Default none. */
  readonly healthChecks?: readonly HealthCheck[];
  /** The log of reconcilers and webhooks. Default none. */
  readonly log?: Logger;
  /** Functions that serve webhooks instead of the Services with the same names. If set, webhooks call no other functions. */
  readonly functions?: WebhookFunctions;
  /** Bearer tokens in addition to the administrator's. */
  readonly tokens?: ReadonlyMap<string, User>;
  /** The authorizers, in order. Default Node, RBAC. */
  readonly authorizers?: NonNullable<ApiserverOptions['authorizers']>;
  /** Additional authenticators. */
  readonly authentication?: ApiserverOptions['authentication'];
  /**
   * Serves PodSecurityPolicies as an empty list, and rejects writes with a pointer to their replacement. Default false.
   */
  readonly legacyPsp?: boolean;
  /** The admission plugins that run, and their configuration. */
  readonly admission?: NonNullable<ApiserverOptions['admission']>;
  /** How stored bodies are encrypted. Default unencrypted. */
  readonly encryption?: TransformerOf;
  /** Audit policy and sinks. Default none. */
  readonly audit?: AuditOptions;
  /** The log of requests. Default none. */
  readonly requestLog?: NonNullable<ApiserverOptions['requestLog']>;
  /** A certificate to serve instead of our own, PEM. Clients verify it directly or via its authority. */
  readonly serving?: KeyPair;
  /** An additional CA for client certificates, PEM. */
  readonly clientCa?: string;
  /** The limit of concurrent requests, and how it is shared. Default upstream's. */
  readonly flowControl?: NonNullable<ApiserverOptions['flowControl']>;
  /** The CA for certificates of authenticating proxies, PEM. */
  readonly proxyCa?: string;
  /** The client certificate that aggregated servers see, PEM. By default, the server's own proxy authority issues it. */
  readonly proxyClient?: KeyPair;
  /** How the server reaches kubelets. */
  readonly kubelet?: KubeletOptions;
  /** Replaces the keys and the issuer that the server would generate. */
  readonly serviceAccounts?: Partial<ServiceAccountKeys>;
  /** Additional metrics at /metrics. */
  readonly collectors?: readonly Collector[];
  reportFault?(auditId: string, error: unknown): void;
  /** Receives warnings about events that are not faults, but may surprise the user. */
  reportWarning?(text: string): void;
}

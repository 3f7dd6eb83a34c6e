import type { Client } from '#lib/client/client.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { admissionChain } from '#lib/server/admission/chain.ts';
import { type AdmissionConfiguration, UNCONFIGURED } from '#lib/server/admission/configuration.ts';
import { AdmissionMetrics } from '#lib/server/admission/metrics.ts';
import type { PluginSelection } from '#lib/server/admission/plugin-names.ts';
import type { Authorizer } from '#lib/server/authorization/authorizer.ts';
import { QuotaLedger } from '#lib/server/policy/resource-quota/ledger.ts';
import type { BuiltInResources } from '#lib/server/registry/built-in.ts';
import { equivalentResources, type resourceOfKind } from '#lib/server/registry/equivalents.ts';
import type { CustomResources } from '#lib/server/registry/resources.ts';
import type { WebhookClient } from '#lib/server/webhook/client.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import type { SequenceStore } from '#lib/storage/sequence.ts';
import type { StorageOf } from '#lib/storage/storage.ts';

const NAMESPACES = { group: '', version: 'v1', resource: 'namespaces' };

/** The ports and settings of admission. */
export interface AdmissionOptions {
  readonly clock: Clock;
  readonly store: SequenceStore;
  /** Whether no other process writes to the store during the lifetime of this process. */
  readonly exclusive: boolean;
  /** Which admission plugins run, and their configuration. Default upstream's. */
  readonly admission?: { readonly plugins: PluginSelection; readonly configuration: AdmissionConfiguration };
}

interface Parts {
  readonly storageOf: StorageOf;
  readonly webhooks: WebhookClient | undefined;
  readonly authorizer: Authorizer;
  readonly builtIn: BuiltInResources;
  readonly custom: CustomResources;
  readonly ofKind: ReturnType<typeof resourceOfKind>;
  /** Creates namespaces, if a plugin requires it. */
  readonly client: Client;
}

/** The chain of `lib/server/admission/chain.ts`, and the quota usage that it tracks. */
export function admission(options: AdmissionOptions, parts: Parts) {
  const { clock, store, exclusive } = options;
  const { storageOf, webhooks, authorizer, builtIn, custom, ofKind, client } = parts;
  const cluster = DEFAULT_CLUSTER;
  const metrics = new AdmissionMetrics(clock);
  const quotaLedger = new QuotaLedger({ cluster, clock, exclusive, sequence: (name) => store.sequence(name) });
  const chain = admissionChain({
    storageOf,
    webhooks,
    authorizer,
    metrics,
    quotaLedger,
    cluster,
    clock,
    equivalents: equivalentResources(builtIn, custom),
    resourceOfKind: ofKind,
    plugins: options.admission?.plugins ?? { enable: [], disable: [] },
    configuration: options.admission?.configuration ?? UNCONFIGURED,
    makeNamespace: async (name) => void (await client.create(NAMESPACES, { metadata: { name } })),
  });
  return { chain, quotaLedger, collectors: [metrics] };
}

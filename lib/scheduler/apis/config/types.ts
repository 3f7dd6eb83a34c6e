import * as z from 'zod';

const int = z.int();
const pluginRef = z.strictObject({ name: z.string(), weight: int.optional() });
const pluginSet = z.strictObject({
  enabled: z.array(pluginRef).default([]),
  disabled: z.array(pluginRef).default([]),
});
const set = pluginSet.default({ enabled: [], disabled: [] });

const plugins = z.strictObject({
  preEnqueue: set,
  queueSort: set,
  preFilter: set,
  filter: set,
  postFilter: set,
  preScore: set,
  score: set,
  reserve: set,
  permit: set,
  preBind: set,
  bind: set,
  postBind: set,
  multiPoint: set,
});

const profile = z.strictObject({
  schedulerName: z.string().optional(),
  percentageOfNodesToScore: int.optional(),
  plugins: plugins.optional(),
  pluginConfig: z.array(z.strictObject({ name: z.string(), args: z.unknown() })).default([]),
});
/** A profile of the configuration, with defaults set. */
export type Profile = z.output<typeof profile>;

const extender = z.strictObject({
  urlPrefix: z.string(),
  filterVerb: z.string().default(''),
  preemptVerb: z.string().default(''),
  prioritizeVerb: z.string().default(''),
  weight: int.default(0),
  bindVerb: z.string().default(''),
  enableHTTPS: z.boolean().default(false),
  tlsConfig: z.looseObject({}).optional(),
  httpTimeout: z.string().optional(),
  nodeCacheCapable: z.boolean().default(false),
  managedResources: z
    .array(z.strictObject({ name: z.string(), ignoredByScheduler: z.boolean().default(false) }))
    .default([]),
  ignorable: z.boolean().default(false),
});
/** An extender of the configuration, with defaults set. */
export type ExtenderConfiguration = z.output<typeof extender>;

/** kubescheduler.config.k8s.io/v1 KubeSchedulerConfiguration with upstream's defaults, except those of plugins and their arguments. */
export const kubeSchedulerConfiguration = z.strictObject({
  apiVersion: z.literal('kubescheduler.config.k8s.io/v1'),
  kind: z.literal('KubeSchedulerConfiguration'),
  parallelism: int.default(16),
  leaderElection: z.looseObject({}).optional(),
  clientConnection: z.looseObject({}).optional(),
  enableProfiling: z.boolean().default(true),
  enableContentionProfiling: z.boolean().optional(),
  percentageOfNodesToScore: int.default(0),
  podInitialBackoffSeconds: int.default(1),
  podMaxBackoffSeconds: int.default(10),
  profiles: z.array(profile).default([]),
  extenders: z.array(extender).default([]),
  delayCacheUntilActive: z.boolean().default(false),
});
/** A `kubescheduler.config.k8s.io/v1 KubeSchedulerConfiguration`, with defaults set. */
export type KubeSchedulerConfiguration = z.output<typeof kubeSchedulerConfiguration>;

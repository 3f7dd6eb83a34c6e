import { quote } from '#lib/machinery/go.ts';
import type { Plugin } from '../interface.ts';

/** A plugin that implements this member. */
export type With<K extends keyof Plugin> = Plugin & { readonly [P in K]-?: NonNullable<Plugin[P]> };

/** Extension points by their names in the configuration, each with the plugin member that implements it. */
export const EXTENSION_POINTS = {
  preEnqueue: 'preEnqueue',
  queueSort: 'less',
  preFilter: 'preFilter',
  filter: 'filter',
  postFilter: 'postFilter',
  preScore: 'preScore',
  score: 'score',
  reserve: 'reserve',
  permit: 'permit',
  preBind: 'preBind',
  bind: 'bind',
  postBind: 'postBind',
} as const satisfies Record<string, keyof Plugin>;

/** The name of an extension point. */
export type ExtensionPoint = keyof typeof EXTENSION_POINTS;

/** Upstream's interface names, as its errors show them. */
const INTERFACES: Readonly<Record<ExtensionPoint, string>> = {
  preEnqueue: 'PreEnqueuePlugin',
  queueSort: 'QueueSortPlugin',
  preFilter: 'PreFilterPlugin',
  filter: 'FilterPlugin',
  postFilter: 'PostFilterPlugin',
  preScore: 'PreScorePlugin',
  score: 'ScorePlugin',
  reserve: 'ReservePlugin',
  permit: 'PermitPlugin',
  preBind: 'PreBindPlugin',
  bind: 'BindPlugin',
  postBind: 'PostBindPlugin',
};

/** The plugins of a profile at each extension point, in execution order. */
export type ExtensionPoints = {
  readonly [P in ExtensionPoint]: readonly With<(typeof EXTENSION_POINTS)[P]>[];
};

/** A plugin of a profile and the weight of its score. */
export interface PluginRef {
  readonly name: string;
  /** The weight of its score. If 0 or absent, the weight is 1. */
  readonly weight?: number | undefined;
}

/** The plugins of one extension point, or of all. `*` disables all default plugins. */
export interface PluginSet {
  readonly enabled: readonly PluginRef[];
  readonly disabled: readonly { readonly name: string }[];
}

/** The enabled and disabled plugins of a profile, by extension point. */
export type PluginSets = Readonly<Record<ExtensionPoint | 'multiPoint', PluginSet>>;

/** An invalid profile. The message is upstream's. */
export class ProfileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProfileError';
  }
}

/** Resolves the plugins of each extension point: upstream's expandMultiPointPlugins. Throws ProfileError. */
export function extensionPoints(sets: PluginSets, plugins: ReadonlyMap<string, Plugin>): ExtensionPoints {
  const at = <P extends ExtensionPoint>(point: P): With<(typeof EXTENSION_POINTS)[P]>[] =>
    namesAt(point, sets, plugins).map((name) => pluginAt(point, named(plugins, name, point)));
  return {
    preEnqueue: at('preEnqueue'),
    queueSort: at('queueSort'),
    preFilter: at('preFilter'),
    filter: at('filter'),
    postFilter: at('postFilter'),
    preScore: at('preScore'),
    score: at('score'),
    reserve: at('reserve'),
    permit: at('permit'),
    preBind: at('preBind'),
    bind: at('bind'),
    postBind: at('postBind'),
  };
}

/** Order: plugins enabled at the point and in multiPoint, then the rest of multiPoint, then the rest of the point. */
function namesAt(point: ExtensionPoint, sets: PluginSets, plugins: ReadonlyMap<string, Plugin>): string[] {
  const own = uniqueNames(point, sets[point]);
  const disabled = new Set(sets[point].disabled.map(({ name }) => name));
  if (disabled.has('*')) return own;
  const wide = sets.multiPoint.enabled
    .map(({ name }) => name)
    .filter((name) => has(point, named(plugins, name, point)) && !disabled.has(name));
  const added = wide.filter((name) => !own.includes(name));
  const repeated = added.find((name, i) => added.indexOf(name) !== i);
  if (repeated !== undefined) throw alreadyRegistered(repeated, point);
  return [...own.filter((name) => wide.includes(name)), ...added, ...own.filter((name) => !wide.includes(name))];
}

function uniqueNames(point: ExtensionPoint, { enabled }: PluginSet): string[] {
  const names = enabled.map(({ name }) => name);
  const repeated = names.find((name, i) => names.indexOf(name) !== i);
  if (repeated !== undefined) throw alreadyRegistered(repeated, point);
  return names;
}

const alreadyRegistered = (name: string, point: ExtensionPoint): ProfileError =>
  new ProfileError(`plugin ${quote(name)} already registered as ${quote(INTERFACES[point])}`);

function named(plugins: ReadonlyMap<string, Plugin>, name: string, point: ExtensionPoint): Plugin {
  const plugin = plugins.get(name);
  if (plugin === undefined) throw new ProfileError(`${INTERFACES[point]} ${quote(name)} does not exist`);
  return plugin;
}

function has<P extends ExtensionPoint>(point: P, plugin: Plugin): plugin is With<(typeof EXTENSION_POINTS)[P]> {
  return plugin[EXTENSION_POINTS[point]] !== undefined;
}

function pluginAt<P extends ExtensionPoint>(point: P, plugin: Plugin): With<(typeof EXTENSION_POINTS)[P]> {
  if (has(point, plugin)) return plugin;
  throw new ProfileError(`plugin ${quote(plugin.name)} does not extend ${INTERFACES[point]} plugin`);
}

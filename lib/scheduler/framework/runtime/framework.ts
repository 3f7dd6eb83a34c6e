import type { Pod } from '#lib/api/types/core.v1.ts';
import type { Clientset } from '#lib/client/clientset.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { quote } from '#lib/machinery/go.ts';
import { QueueingHints } from '../../backend/queue/queueing-hints.ts';
import { EXTENDER_PLUGIN, type Extender } from '../extender.ts';
import type { Handle, Nominator, Plugin, PodEvent, Snapshot } from '../interface.ts';
import type { PodInfo } from '../pod-info.ts';
import { type ExtensionPoints, extensionPoints, type PluginSets, ProfileError } from './extension-points.ts';
import { runFilterPluginsWithNominatedPods } from './filter.ts';
import { KeptResults } from './kept-results.ts';
import { runAddPod, runRemovePod } from './pre-filter.ts';
import type { Weights } from './score.ts';
import { scoreWeights } from './score-weights.ts';

/** The services that all profiles of a scheduler share. */
export interface FrameworkPorts {
  snapshot(): Snapshot;
  readonly lister: Handle['lister'];
  readonly client: Clientset;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  random(): number;
  readonly nominator: Nominator;
  readonly extenders: readonly Extender[];
  preemptUnbound(uid: string, plugin: string): boolean;
  activate(pod: Pod): void;
  inBackground(work: Promise<void>): void;
  /** Records an Event with this scheduler as its source. */
  record(schedulerName: string, pod: Pod, event: PodEvent): void;
}

/** Creates a plugin whose arguments are bound. */
export type MakePlugin = (handle: Handle) => Plugin;

/** A profile from the configuration, with its defaults. */
export interface FrameworkProfile {
  readonly schedulerName: string;
  /** 0 derives the share from the cluster size. If absent, the scheduler's value applies. */
  readonly percentageOfNodesToScore?: number | undefined;
  readonly plugins: PluginSets;
  /** All plugins by name. */
  readonly plugged: ReadonlyMap<string, MakePlugin>;
}

/** A running profile: upstream's framework. */
export interface Framework {
  readonly profileName: string;
  readonly percentageOfNodesToScore: number | undefined;
  readonly points: ExtensionPoints;
  readonly weights: Weights;
  readonly hints: QueueingHints;
  readonly handle: Handle;
  /** Keeps results of plugins that sign pods. If absent, every attempt runs all plugins on each node. */
  readonly kept?: KeptResults;
}

/** Creates a framework. Throws ProfileError. */
export function newFramework(profile: FrameworkProfile, ports: FrameworkPorts): Framework {
  const place: { points?: ExtensionPoints } = {};
  const handle = handleOf(profile.schedulerName, ports, () => {
    if (place.points === undefined) throw new TypeError('a plugin runs others while it is made');
    return place.points;
  });
  const plugins = new Map(
    neededPlugins(profile.plugins).flatMap((name): [string, Plugin][] => {
      const make = profile.plugged.get(name);
      return make === undefined ? [] : [[name, make(handle)]];
    }),
  );
  const points = complete(profile, extensionPoints(profile.plugins, plugins));
  place.points = points;
  return {
    profileName: profile.schedulerName,
    percentageOfNodesToScore: profile.percentageOfNodesToScore,
    points,
    weights: scoreWeights(profile, points),
    hints: new QueueingHints([...plugins.values(), ...(ports.extenders.length > 0 ? [EXTENDER_PLUGIN] : [])]),
    handle,
    kept: new KeptResults(points),
  };
}

/** Checks that the profile has all required extension points. */
function complete({ schedulerName }: FrameworkProfile, points: ExtensionPoints): ExtensionPoints {
  const { length } = points.queueSort;
  const profile = `for profile with scheduler name ${quote(schedulerName)}`;
  if (length !== 1) throw new ProfileError(`only one queue sort plugin required ${profile}, but got ${length}`);
  if (points.bind.length === 0) throw new ProfileError(`at least one bind plugin is needed ${profile}`);
  return points;
}

const neededPlugins = (sets: PluginSets): string[] => [
  ...new Set(Object.values(sets).flatMap(({ enabled }) => enabled.map(({ name }) => name))),
];

function handleOf(schedulerName: string, ports: FrameworkPorts, points: () => ExtensionPoints): Handle {
  return {
    snapshot: () => ports.snapshot(),
    lister: (resource) => ports.lister(resource),
    client: ports.client,
    clock: ports.clock,
    signal: ports.signal,
    random: () => ports.random(),
    nominator: ports.nominator,
    extenders: ports.extenders,
    runFilterPluginsWithNominatedPods: (state, pod, node) =>
      runFilterPluginsWithNominatedPods(points(), nominatedFor(ports, node.name), { state, pod, node }),
    runPreFilterExtensionAddPod: (state, pod, other, node) =>
      runAddPod(points().preFilter, { state, pod, other, node }),
    runPreFilterExtensionRemovePod: (state, pod, other, node) =>
      runRemovePod(points().preFilter, { state, pod, other, node }),
    preemptUnbound: (uid, plugin) => ports.preemptUnbound(uid, plugin),
    activate: (pod) => ports.activate(pod),
    inBackground: (work) => ports.inBackground(work),
    record: (pod, event) => ports.record(schedulerName, pod, event),
  };
}

const nominatedFor = ({ nominator }: FrameworkPorts, nodeName: string): readonly PodInfo[] =>
  nominator.nominatedPodsForNode(nodeName);

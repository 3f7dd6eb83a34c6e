import { findResource, type ResourceFacts, resourcesOf, servedGroupVersions } from '#lib/api/kinds.ts';
import { defined } from '#lib/machinery/defined.ts';
import { apiVersion, type GroupVersionResource } from '#lib/machinery/schema.ts';
import type { StorageOf } from '#lib/storage/storage.ts';
import { builtInScheme } from './built-in-scheme.ts';
import { fieldLabelsOf } from './field-labels.ts';
import type { WriteGuards } from './guard.ts';
import { serviceAllocator } from './kinds/core/service/allocator/service-allocator.ts';
import { STRATEGIES } from './kinds/strategies.ts';
import { printerOf } from './printers/printers.ts';
import type { ResourceDefinition } from './resource.ts';
import { BUILT_IN_SCALES, replicasPathsOf } from './scale.ts';
import type { KindStrategies, KindStrategy } from './strategy.ts';
import { summarize } from './summarize.ts';

/** `endpoints` is the only deprecated kind that is stored. `componentstatuses` adds its own warning. */
const ENDPOINTS_DEPRECATED = 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice';

/** Built-in resources and their storages. */
export interface BuiltInResources {
  /** Undefined if the resource is not served or not stored (reviews, bindings). */
  find(gvr: GroupVersionResource): ResourceDefinition | undefined;
  /** Every stored resource of every served version. */
  all(): readonly ResourceDefinition[];
}

/** Rules of built-in kinds that modules above the registry provide. */
export interface KindRules {
  /** Authorization checks that depend on the content of a write. Some look up the kinds that the content names. */
  guards(resources: BuiltInResources): WriteGuards;
  readonly strategies: KindStrategies;
}

/** The definitions of built-in resources. Each one is created on first use. */
export function builtInResources(storageOf: StorageOf, rules: KindRules): BuiltInResources {
  const strategies = { ...STRATEGIES, ...rules.strategies };
  const made = new Map<string, ResourceDefinition>();
  let guards: WriteGuards | undefined;
  const resources: BuiltInResources = {
    find(gvr) {
      const name = `${apiVersion(gvr)}/${gvr.resource}`;
      const known = made.get(name);
      if (known !== undefined) return known;
      const facts = findResource(gvr);
      if (facts?.storage === undefined) return undefined;
      guards ??= rules.guards(resources);
      const definition = builtIn(facts, storageOf, { guards, strategies });
      made.set(name, definition);
      return definition;
    },
    all: () => servedGroupVersions().flatMap((gv) => resourcesOf(gv).flatMap((facts) => resources.find(facts) ?? [])),
  };
  return resources;
}

/** The group and resource of the storage. Both event groups share one store. */
function storedResource({ resource, storage }: ResourceFacts): { group: string; resource: string; version: string } {
  return { group: storage?.group ?? '', resource, version: storage?.version ?? '' };
}

interface Rules {
  readonly guards: WriteGuards;
  readonly strategies: KindStrategies;
}

function builtIn(facts: ResourceFacts, storageOf: StorageOf, { guards, strategies }: Rules): ResourceDefinition {
  const storedAs = storedResource(facts);
  const key = `${storedAs.group}/${storedAs.resource}`;
  // Both event groups share one store, but each validates events differently.
  const own = strategies[`${facts.group}/${facts.resource}`] ?? strategies[key] ?? {};
  const strategy = withSelfSubresources(own, facts);
  const kind = { group: facts.group, version: facts.version, kind: facts.kind };
  const scale = facts.subresources.some(({ name }) => name === 'scale') ? BUILT_IN_SCALES[key] : undefined;
  const guard = guards[key];
  return {
    resource: { group: facts.group, version: facts.version, resource: facts.resource },
    singular: facts.singular,
    listKind: `${facts.kind}List`,
    shortNames: facts.shortNames,
    categories: facts.categories,
    namespaced: facts.namespaced,
    verbs: new Set(facts.verbs),
    custom: false,
    scheme: builtInScheme(kind, strategy, facts.storage),
    strategy,
    printer: printerOf(facts),
    storedAs,
    storage: storageOf(storedAs),
    summarize: (stored) => summarize(stored, strategy.selectableFields?.(stored) ?? {}),
    selectableFields: [],
    fieldLabels: fieldLabelsOf(kind),
    ...(key === '/endpoints' ? { deprecationWarning: ENDPOINTS_DEPRECATED } : {}),
    returnsDeleted: facts.returnsDeleted,
    hasStatus: facts.subresources.some(({ name }) => name === 'status'),
    ...(scale === undefined ? {} : { scale, replicasPaths: replicasPathsOf(kind) }),
    ...defined({ guard }),
    ...(key === '/services' ? { allocator: serviceAllocator(storageOf) } : {}),
  };
}

/** Adds an empty strategy for each subresource whose body is the object itself (approval, finalize, resize …), unless the kind has one. */
function withSelfSubresources(strategy: KindStrategy, { subresources, kind }: ResourceFacts): KindStrategy {
  const self = subresources.filter(
    (sub) => sub.kind.kind === kind && sub.name !== 'status' && sub.verbs.includes('update'),
  );
  if (self.length === 0) return strategy;
  const rules = Object.fromEntries(self.map(({ name }) => [name, strategy.subresources?.[name] ?? {}]));
  return { ...strategy, subresources: { ...rules, ...strategy.subresources } };
}

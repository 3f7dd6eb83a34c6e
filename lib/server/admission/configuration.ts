import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { count, entries, items, text, texts } from '#lib/machinery/unstructured.ts';
import { errorText, type FieldError, FieldPath, invalid, notSupported } from '#lib/machinery/validation/field.ts';
import {
  DEFAULT_CONFIGURATION,
  exemptionErrors,
  type PodSecurityConfiguration,
} from '#lib/server/policy/pod-security/exemptions.ts';
import {
  isLevel,
  isPolicyVersion,
  LATEST,
  LEVEL_FAULT,
  type LevelVersion,
  VERSION_FAULT,
} from '#lib/server/policy/pod-security/policy.ts';
import type { LimitedResource } from '#lib/server/policy/resource-quota/check.ts';
import type { ClientConfig } from '#lib/server/webhook/client-config.ts';
import { type ImagePolicy, readImagePolicy } from './image-policy.ts';
import { EVENT_LIMITS, type EventLimit } from './plugins/event-rate-limit.ts';
import type { NodeSelectors } from './plugins/pod-node-selector.ts';
import type { TolerationRules } from './plugins/pod-toleration-restriction.ts';
import { readToleration } from './tolerations.ts';

/** The settings of each configurable plugin: upstream's AdmissionConfiguration. */
export interface AdmissionConfiguration {
  readonly podSecurity: PodSecurityConfiguration;
  readonly limitedResources: readonly LimitedResource[];
  readonly eventLimits: readonly EventLimit[];
  readonly nodeSelectors: NodeSelectors;
  readonly tolerations: TolerationRules;
  /** Undefined if ImagePolicyWebhook calls no backend. */
  readonly imagePolicy: ImagePolicy | undefined;
}

/** The settings of plugins without a configuration document. */
export const UNCONFIGURED: AdmissionConfiguration = {
  podSecurity: DEFAULT_CONFIGURATION,
  limitedResources: [],
  eventLimits: [],
  nodeSelectors: new Map(),
  tolerations: { defaults: [], allowed: [] },
  imagePolicy: undefined,
};

const DEFAULT_CACHE = 4096;

/**
 * Reads the plugins' documents, keyed by plugin name. Returns the configuration and its errors with upstream's texts. `imageBackend` is the
 * backend in the kubeconfig of ImagePolicyWebhook.
 */
export function admissionConfiguration(
  documents: ReadonlyMap<string, JsonObject>,
  imageBackend?: ClientConfig,
): {
  readonly configuration: AdmissionConfiguration;
  readonly errors: readonly string[];
} {
  const errors: string[] = [];
  const take = <T>(name: string, initial: T, read: (document: JsonObject) => Read<T>): T => {
    const document = documents.get(name);
    if (document === undefined) return initial;
    const { value, faults } = read(document);
    errors.push(...faults.map((fault) => `${name}: ${errorText(fault)}`));
    return value;
  };
  const configuration = {
    podSecurity: take('PodSecurity', DEFAULT_CONFIGURATION, podSecurity),
    limitedResources: take('ResourceQuota', [], limitedResources),
    eventLimits: take('EventRateLimit', [], eventLimits),
    nodeSelectors: take<NodeSelectors>('PodNodeSelector', new Map(), nodeSelectors),
    tolerations: take('PodTolerationRestriction', UNCONFIGURED.tolerations, tolerations),
    imagePolicy: take<ImagePolicy | undefined>('ImagePolicyWebhook', undefined, (document) =>
      readImagePolicy(document, imageBackend),
    ),
  };
  return { configuration, errors };
}

interface Read<T> {
  readonly value: T;
  readonly faults: readonly FieldError[];
}

function podSecurity(document: JsonObject): Read<PodSecurityConfiguration> {
  const defaults = objectAt(document, 'defaults');
  const faults: FieldError[] = [];
  const mode = (name: string): LevelVersion => {
    const level = text(defaults, name) || 'privileged';
    const version = text(defaults, `${name}-version`) || LATEST;
    const path = FieldPath.of('defaults');
    if (!isLevel(level)) faults.push(invalid(path.child(name), level, LEVEL_FAULT));
    if (!isPolicyVersion(version)) faults.push(invalid(path.child(`${name}-version`), version, VERSION_FAULT));
    return { level: isLevel(level) ? level : 'restricted', version };
  };
  const exempt = objectAt(document, 'exemptions');
  const exemptions = {
    usernames: texts(exempt, 'usernames'),
    namespaces: texts(exempt, 'namespaces'),
    runtimeClasses: texts(exempt, 'runtimeClasses'),
  };
  const value = { defaults: { enforce: mode('enforce'), audit: mode('audit'), warn: mode('warn') }, exemptions };
  return { value, faults: [...faults, ...exemptionErrors(exemptions)] };
}

function limitedResources(document: JsonObject): Read<LimitedResource[]> {
  const value = items(document, 'limitedResources').map((one) => ({
    apiGroup: text(one, 'apiGroup'),
    resource: text(one, 'resource'),
    matchContains: texts(one, 'matchContains'),
    matchScopes: items(one, 'matchScopes').map((scope) => ({
      scope: text(scope, 'scopeName'),
      operator: text(scope, 'operator'),
      values: texts(scope, 'values'),
    })),
  }));
  const faults = value.flatMap(({ resource }, i) =>
    resource === ''
      ? [invalid(FieldPath.of('limitedResources').index(i).child('resource'), '', 'must not be empty')]
      : [],
  );
  return { value, faults };
}

function eventLimits(document: JsonObject): Read<EventLimit[]> {
  const path = FieldPath.of('limits');
  const limits = items(document, 'limits');
  const faults = limits.length === 0 ? [invalid(path, [], 'must not be empty')] : [];
  const value = limits.flatMap((one, i) => {
    const type = EVENT_LIMITS.find((known) => known === text(one, 'type'));
    const [qps, burst, cache] = ['qps', 'burst', 'cacheSize'].map((field) => Number(count(one, field)));
    const at = path.index(i);
    if (type === undefined) faults.push(notSupported(at.child('type'), text(one, 'type'), [...EVENT_LIMITS]));
    if (!((burst ?? 0) > 0)) faults.push(invalid(at.child('burst'), burst, 'must be positive'));
    if (!((qps ?? 0) > 0)) faults.push(invalid(at.child('qps'), qps, 'must be positive'));
    if ((cache ?? 0) < 0) faults.push(invalid(at.child('cacheSize'), cache, 'must not be negative'));
    return type === undefined ? [] : [{ type, qps: qps ?? 0, burst: burst ?? 0, cacheSize: cache || DEFAULT_CACHE }];
  });
  return { value, faults };
}

const nodeSelectors = (document: JsonObject): Read<NodeSelectors> => ({
  value: new Map(entries(document, 'podNodeSelectorPluginConfig')),
  faults: [],
});

const tolerations = (document: JsonObject): Read<TolerationRules> => ({
  value: {
    defaults: items(document, 'default').map(readToleration),
    allowed: items(document, 'whitelist').map(readToleration),
  },
  faults: [],
});

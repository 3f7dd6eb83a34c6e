import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { admissionConfiguration, UNCONFIGURED } from './configuration.ts';

const configured = (documents: Record<string, JsonObject>) =>
  admissionConfiguration(new Map(Object.entries(documents)));

test('has defaults without documents', () => {
  expect(configured({})).toEqual({ configuration: UNCONFIGURED, errors: [] });
});

test('reads the document of every plugin', () => {
  const { configuration, errors } = configured({
    PodSecurity: {
      defaults: { enforce: 'baseline', 'enforce-version': 'v1.30', warn: 'restricted' },
      exemptions: { namespaces: ['kube-system'] },
    },
    ResourceQuota: {
      limitedResources: [
        {
          resource: 'pods',
          matchScopes: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }],
        },
      ],
    },
    EventRateLimit: { limits: [{ type: 'Namespace', qps: 5, burst: 10 }] },
    PodNodeSelector: { podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: 'a=b' } },
    PodTolerationRestriction: { default: [{ key: 'd' }], whitelist: [{ key: 'w' }] },
  });
  expect(errors).toEqual([]);
  expect(configuration).toEqual({
    podSecurity: {
      defaults: {
        enforce: { level: 'baseline', version: 'v1.30' },
        audit: { level: 'privileged', version: 'latest' },
        warn: { level: 'restricted', version: 'latest' },
      },
      exemptions: { usernames: [], namespaces: ['kube-system'], runtimeClasses: [] },
    },
    limitedResources: [
      {
        apiGroup: '',
        resource: 'pods',
        matchContains: [],
        matchScopes: [{ scope: 'PriorityClass', operator: 'In', values: ['high'] }],
      },
    ],
    eventLimits: [{ type: 'Namespace', qps: 5, burst: 10, cacheSize: 4096 }],
    nodeSelectors: new Map([['clusterDefaultNodeSelector', 'a=b']]),
    tolerations: { defaults: [{ key: 'd' }], allowed: [{ key: 'w' }] },
    imagePolicy: undefined,
  });
});

test('reports errors with their plugin', () => {
  const { errors } = configured({
    PodSecurity: { defaults: { audit: 'x' } },
    ResourceQuota: { limitedResources: [{}] },
    EventRateLimit: { limits: [{ type: 'x', qps: 0, burst: 1, cacheSize: -1 }] },
  });
  expect(errors).toEqual([
    'PodSecurity: defaults.audit: Invalid value: "x": must be one of privileged, baseline, restricted',
    'ResourceQuota: limitedResources[0].resource: Invalid value: "": must not be empty',
    'EventRateLimit: limits[0].type: Unsupported value: "x": supported values: "Server", "Namespace", "User", "SourceAndObject"',
    'EventRateLimit: limits[0].qps: Invalid value: 0: must be positive',
    'EventRateLimit: limits[0].cacheSize: Invalid value: -1: must not be negative',
  ]);
});

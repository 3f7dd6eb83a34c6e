import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { containerErrors, createErrors, volume } from '../builders.ts';

const V = 'spec.volumes[0]';
const M = 'spec.containers[0].volumeMounts';

describe('volumes', () => {
  test.each<[string, JsonObject, string[]]>([
    ['are valid', { emptyDir: { sizeLimit: '1Gi' } }, []],
    [
      'have one source',
      { emptyDir: {}, nfs: { server: 's', path: '/' } },
      [`${V}.nfs: Forbidden: may not specify more than 1 volume type`],
    ],
    [
      'have a size',
      { emptyDir: { sizeLimit: '-1' } },
      [`${V}.emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity`],
    ],
    [
      'do not step back',
      { hostPath: { path: '/a/../b' } },
      [`${V}.hostPath.path: Invalid value: "/a/../b": must not contain '..'`],
    ],
    [
      'know the types of a path',
      { hostPath: { path: '/a', type: 'Link' } },
      [
        `${V}.hostPath.type: Unsupported value: "Link": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"`,
      ],
    ],
    ['name their secret', { secret: {} }, [`${V}.secret.secretName: Required value`]],
    [
      'have modes of nine bits',
      { configMap: { name: 'c', defaultMode: 512 } },
      [`${V}.configMap.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive`],
    ],
    [
      'put keys into the volume',
      { configMap: { name: 'c', items: [{ key: '', path: '/etc' }] } },
      [
        `${V}.configMap.items[0].key: Required value`,
        `${V}.configMap.items[0].path: Invalid value: "/etc": must be a relative path`,
      ],
    ],
    [
      'mount absolute paths',
      { nfs: { server: 's', path: 'p' } },
      [`${V}.nfs.path: Invalid value: "p": must be an absolute path`],
    ],
    [
      'project each file once',
      {
        projected: {
          sources: [
            { configMap: { name: 'a', items: [{ key: 'k', path: 'p' }] } },
            { secret: { name: 'b', items: [{ key: 'k', path: 'p' }] } },
          ],
        },
      },
      [`${V}.projected: Invalid value: "b": conflicting duplicate paths`],
    ],
    [
      'project tokens that live ten minutes',
      { projected: { sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 60 } }] } },
      [
        `${V}.projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes`,
      ],
    ],
    [
      'claim storage with a mode',
      { ephemeral: { volumeClaimTemplate: { metadata: { name: 'x' }, spec: {} } } },
      [
        `${V}.ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set`,
        `${V}.ephemeral.volumeClaimTemplate.spec.accessModes: Required value: at least 1 access mode is required`,
        `${V}.ephemeral.volumeClaimTemplate.spec.resources[storage]: Required value`,
      ],
    ],
    [
      'name a driver',
      { csi: { driver: 'A_B' } },
      [
        `${V}.csi.driver: Invalid value: "A_B": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
    ],
    ['have a reference', { image: {} }, [`${V}.image.reference: Required value`]],
  ])('%s', (_, source, expected) => {
    expect(createErrors({ volumes: [volume('v', source)] })).toEqual(expected);
  });

  test('have one name each', () => {
    expect(createErrors({ volumes: [volume('v'), volume('v'), volume('')] })).toEqual([
      'spec.volumes[1].name: Duplicate value: "v"',
      'spec.volumes[2].name: Required value',
    ]);
  });

  test('do not claim what the pod creates', () => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const volumes = [
      volume('v', { ephemeral: { volumeClaimTemplate: { spec } } }),
      volume('w', { persistentVolumeClaim: { claimName: 'web-v' } }),
    ];
    expect(createErrors({ volumes })).toEqual([
      'spec.volumes[1].persistentVolumeClaim.claimName: Invalid value: "web-v": must not reference a PVC that gets created for an ephemeral volume',
    ]);
  });
});

describe('mounts', () => {
  test.each<[string, JsonObject, string[]]>([
    ['are valid', { name: 'v', mountPath: '/v', subPath: 'a/b' }, []],
    ['are of a volume', { name: 'x', mountPath: '/x' }, [`${M}[0].name: Not found: "x"`]],
    ['have a path', { name: 'v' }, [`${M}[0].mountPath: Required value`]],
    [
      'stay in the volume',
      { name: 'v', mountPath: '/v', subPath: '../x' },
      [`${M}.subPath: Invalid value: "../x": must not contain '..'`],
    ],
    [
      'propagate back from privileged containers',
      { name: 'v', mountPath: '/v', mountPropagation: 'Bidirectional' },
      [`${M}.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers`],
    ],
    [
      'are read-only recursively where they are read-only',
      { name: 'v', mountPath: '/v', recursiveReadOnly: 'Enabled' },
      [`${M}.recursiveReadOnly: Forbidden: may only be specified when readOnly is true`],
    ],
  ])('%s', (_, mount, expected) => {
    expect(containerErrors({ volumeMounts: [mount] }, { volumes: [volume('v')] })).toEqual(expected);
  });

  test('do not overlap with devices, which are of claims', () => {
    const fields = {
      volumeMounts: [{ name: 'v', mountPath: '/v' }],
      volumeDevices: [{ name: 'v', devicePath: '/v' }],
    };
    const D = 'spec.containers[0].volumeDevices[0]';
    expect(containerErrors(fields, { volumes: [volume('v')] })).toEqual([
      `${M}[0].name: Invalid value: "v": must not already exist in volumeDevices`,
      `${M}[0].mountPath: Invalid value: "/v": must not already exist as a path in volumeDevices`,
      `${D}.name: Invalid value: "v": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode`,
      `${D}.name: Invalid value: "v": must not already exist in volumeMounts`,
      `${D}.devicePath: Invalid value: "/v": must not already exist as a path in volumeMounts`,
    ]);
  });
});

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { containerErrors, createErrors, volume } from '../builders.ts';

const V = 'spec.volumes[0]';
const M = 'spec.containers[0].volumeMounts';

describe('validation of volumes', () => {
  test.each<[string, JsonObject, string[]]>([
    ['is accepted with one source', { emptyDir: { sizeLimit: '1Gi' } }, []],
    [
      'is rejected with two sources',
      { emptyDir: {}, nfs: { server: 's', path: '/' } },
      [`${V}.nfs: Forbidden: may not specify more than 1 volume type`],
    ],
    [
      'is rejected with a negative size limit',
      { emptyDir: { sizeLimit: '-1' } },
      [`${V}.emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity`],
    ],
    [
      'is rejected with a host path that has a .. element',
      { hostPath: { path: '/a/../b' } },
      [`${V}.hostPath.path: Invalid value: "/a/../b": must not contain '..'`],
    ],
    [
      'is rejected with an unknown type of host path',
      { hostPath: { path: '/a', type: 'Link' } },
      [
        `${V}.hostPath.type: Unsupported value: "Link": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"`,
      ],
    ],
    ['is rejected without the name of its secret', { secret: {} }, [`${V}.secret.secretName: Required value`]],
    [
      'is rejected with a mode of more than nine bits',
      { configMap: { name: 'c', defaultMode: 512 } },
      [`${V}.configMap.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive`],
    ],
    [
      'is rejected with an empty key and with a path outside of the volume',
      { configMap: { name: 'c', items: [{ key: '', path: '/etc' }] } },
      [
        `${V}.configMap.items[0].key: Required value`,
        `${V}.configMap.items[0].path: Invalid value: "/etc": must be a relative path`,
      ],
    ],
    [
      'is rejected with a relative path on an NFS server',
      { nfs: { server: 's', path: 'p' } },
      [`${V}.nfs.path: Invalid value: "p": must be an absolute path`],
    ],
    [
      'is rejected with two projected files at the same path',
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
      'is rejected with a token that expires in less than ten minutes',
      { projected: { sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 60 } }] } },
      [
        `${V}.projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes`,
      ],
    ],
    [
      'is rejected if its claim template has a name but no access mode and size',
      { ephemeral: { volumeClaimTemplate: { metadata: { name: 'x' }, spec: {} } } },
      [
        `${V}.ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set`,
        `${V}.ephemeral.volumeClaimTemplate.spec.accessModes: Required value: at least 1 access mode is required`,
        `${V}.ephemeral.volumeClaimTemplate.spec.resources[storage]: Required value`,
      ],
    ],
    [
      'is rejected with a driver that is not a domain',
      { csi: { driver: 'A_B' } },
      [
        `${V}.csi.driver: Invalid value: "A_B": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
    ],
    ['is rejected without an image reference', { image: {} }, [`${V}.image.reference: Required value`]],
  ])('a volume %s', (_, source, expected) => {
    expect(createErrors({ volumes: [volume('v', source)] })).toEqual(expected);
  });

  test('rejects a volume with a duplicate name or without a name', () => {
    expect(createErrors({ volumes: [volume('v'), volume('v'), volume('')] })).toEqual([
      'spec.volumes[1].name: Duplicate value: "v"',
      'spec.volumes[2].name: Required value',
    ]);
  });

  test('rejects a claim that an ephemeral volume of the pod creates', () => {
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

describe('validation of mounts', () => {
  test.each<[string, JsonObject, string[]]>([
    ['is accepted with a name and a path', { name: 'v', mountPath: '/v', subPath: 'a/b' }, []],
    ['is rejected for an unknown volume', { name: 'x', mountPath: '/x' }, [`${M}[0].name: Not found: "x"`]],
    ['is rejected without a path', { name: 'v' }, [`${M}[0].mountPath: Required value`]],
    [
      'is rejected with a sub path that has a .. element',
      { name: 'v', mountPath: '/v', subPath: '../x' },
      [`${M}.subPath: Invalid value: "../x": must not contain '..'`],
    ],
    [
      'is rejected with bidirectional propagation in an unprivileged container',
      { name: 'v', mountPath: '/v', mountPropagation: 'Bidirectional' },
      [`${M}.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers`],
    ],
    [
      'is rejected with recursive read-only if it is writable',
      { name: 'v', mountPath: '/v', recursiveReadOnly: 'Enabled' },
      [`${M}.recursiveReadOnly: Forbidden: may only be specified when readOnly is true`],
    ],
  ])('a mount %s', (_, mount, expected) => {
    expect(containerErrors({ volumeMounts: [mount] }, { volumes: [volume('v')] })).toEqual(expected);
  });

  test('rejects a mount with the name or path of a device', () => {
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

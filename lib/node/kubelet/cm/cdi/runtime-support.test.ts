import { describe, expect, test } from 'vitest';
import { StatusResponse, VersionResponse } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { runtimeAppliesCDI } from './runtime-support.ts';

const runtimeOf = (runtimeName: string, runtimeVersion: string, config?: string) => ({
  version: async () => VersionResponse.fromPartial({ runtimeName, runtimeVersion }),
  status: async () => StatusResponse.fromPartial({ info: config === undefined ? {} : { config } }),
});

describe('CDI support of a runtime', () => {
  test.each([
    ['containerd', '1.6.20~ds1', undefined, false],
    ['containerd', 'v1.6.38', '{"enableCDI":true}', false],
    ['containerd', '1.7.24', '{"enableCDI":false}', false],
    ['containerd', 'v1.7.24', '{"enableCDI":true}', true],
    ['containerd', '1.7.24', undefined, false],
    ['containerd', 'v2.0.0', '{"enableCDI":true}', true],
    ['containerd', '2.1.4', '{"enableCDI":false}', false],
    ['containerd', '2.3.0', '{}', true],
    ['containerd', '2.3.0', 'no JSON', true],
    ['cri-o', '1.26.4', undefined, false],
    ['cri-o', '1.27.0', undefined, true],
    ['cri-o', '1.33.2', undefined, true],
    ['other', '0.1', undefined, true],
  ])('checks whether %s %s applies CDI devices with status %s: %s', async (name, version, config, applies) => {
    expect(await runtimeAppliesCDI(runtimeOf(name, version, config))).toBe(applies);
  });
});

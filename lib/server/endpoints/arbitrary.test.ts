import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { valueOrRefusal } from '#lib/machinery/faults.conformance.ts';
import { requestInfo } from '#lib/server/request/request-info.ts';
import { MEDIA_TYPES, negotiate, parseAccept } from './negotiate.ts';
import { listOptions, writeOptions } from './options.ts';

const oneOf = (...texts: string[]): fc.Arbitrary<string> =>
  fc.oneof(fc.constantFrom(...texts), fc.string({ unit: 'binary', maxLength: 8 }));

const query = fc
  .array(
    fc.tuple(
      oneOf('limit', 'continue', 'watch', 'resourceVersion', 'resourceVersionMatch', 'dryRun', 'fieldManager', 'force'),
      oneOf('', '0', '1', '-1', 'true', 'All', 'Exact', 'NotOlderThan', '99999999999999999999', 'Strict'),
    ),
    { maxLength: 5 },
  )
  .map((pairs) => new URLSearchParams(pairs));

const path = fc
  .array(oneOf('api', 'apis', 'v1', 'namespaces', 'watch', 'pods', 'status', '%2F', '%', '..', '', 'proxy'), {
    maxLength: 8,
  })
  .map((parts) => `/${parts.join('/')}`);

describe('parsers of arbitrary requests', () => {
  test('parses the path as a resource or a non-resource path, or rejects it', () => {
    fc.assert(
      fc.property(fc.constantFrom('GET', 'POST', 'DELETE', 'BREW'), path, query, (method, at, options) => {
        const info = requestInfo(method, at, options);
        if (info === undefined) return;
        if (info.resource !== '' || info.version !== '') expect(info.isResourceRequest).toBe(true);
        if (!info.isResourceRequest) expect(info).toMatchObject({ path: at, resource: '', name: '' });
      }),
      { numRuns: 500 },
    );
  });

  test('parses the options or rejects them', () => {
    fc.assert(
      fc.property(query, (options) => {
        const list = valueOrRefusal(() => listOptions(options));
        if (list !== undefined) expect(list.limit).toBeGreaterThanOrEqual(0);
        for (const kind of ['CreateOptions', 'UpdateOptions', 'PatchOptions'] as const) {
          const write = valueOrRefusal(() => writeOptions(options, kind, 'application/merge-patch+json'));
          if (write !== undefined) expect(write.dryRun).toBe(options.has('dryRun'));
        }
      }),
      { numRuns: 500 },
    );
  });

  test('negotiates an offered type, or rejects the header', () => {
    const accept = fc
      .array(oneOf('application/json', '*/*', ';q=', ';as=Table', ';v=v1', ';g=meta.k8s.io', ',', 'text/html', '0.5'), {
        maxLength: 8,
      })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(accept, (header) => {
        const clauses = parseAccept(header);
        expect(clauses.map(({ quality }) => quality)).toEqual(
          clauses.map(({ quality }) => quality).toSorted((a, b) => b - a),
        );
        const request = { headers: { accept: header }, query: new URLSearchParams() };
        const chosen = valueOrRefusal(() => negotiate(request, { mediaTypes: MEDIA_TYPES, transforms: true }));
        if (chosen !== undefined) expect(MEDIA_TYPES).toContain(chosen.mediaType);
      }),
      { numRuns: 500 },
    );
  });
});

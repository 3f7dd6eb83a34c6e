import { describe, expect, test } from 'vitest';
import { parsePolicy } from './parse-policy.ts';

const HEAD = 'apiVersion: audit.k8s.io/v1\nkind: Policy\n';
const refusal = (text: string): string => {
  try {
    parsePolicy(text);
    return '';
  } catch (error) {
    return error instanceof TypeError ? error.message : String(error);
  }
};

test('parses YAML and JSON, and treats null as empty', () => {
  const rules = [expect.objectContaining({ level: 'Metadata', users: [], resources: [] })];
  expect(parsePolicy(`${HEAD}rules:\n- level: Metadata\n  users: null\n`)).toMatchObject({ rules, omitStages: [] });
  const json = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'Metadata' }] };
  expect(parsePolicy(JSON.stringify(json))).toMatchObject({ rules });
});

describe('a document that is not a policy', () => {
  test.each([
    ['an empty file', '', 'Kind'],
    ['no version', 'kind: Policy\n', 'apiVersion'],
    ['an old version', 'apiVersion: audit.k8s.io/v1beta1\nkind: Policy\n', 'audit.k8s.io/v1beta1'],
    ['another kind', 'apiVersion: audit.k8s.io/v1\nkind: Event\n', '"Event"'],
    ['no YAML', 'a: [', 'failed decoding'],
    ['no rules', HEAD, 'loaded illegal policy with 0 rules'],
    ['an unknown field', `${HEAD}rules:\n- level: None\n  user: [a]\n`, 'user'],
    ['a field twice', `${HEAD}rules:\n- level: None\n  level: Request\n`, 'level'],
    ['a wrong type', `${HEAD}rules:\n- level: None\n  users: a\n`, 'users'],
  ])('rejects %s', (_, text, shown) => {
    expect(refusal(text)).toContain(shown);
  });
});

describe('an invalid policy, with upstream’s errors', () => {
  test.each([
    ['no level', '- users: [a]', 'rules[0].level: Required value'],
    [
      'another level',
      '- level: Everything',
      'rules[0].level: Unsupported value: "Everything": supported values: "None", "Metadata", "Request", "RequestResponse"',
    ],
    [
      'another stage',
      '- level: None\n  omitStages: [Begun]',
      'rules[0].omitStages[0]: Invalid value: "Begun": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic',
    ],
    [
      'a path without a slash',
      '- level: None\n  nonResourceURLs: [logs]',
      `rules[0].nonResourceURLs[0]: Invalid value: "logs": non-resource URL rules must begin with a '/' character`,
    ],
    [
      'a star in the middle',
      '- level: None\n  nonResourceURLs: ["/a/*/b"]',
      `rules[0].nonResourceURLs[0]: Invalid value: "/a/*/b": non-resource URL wildcards '*' must be the final character of the rule`,
    ],
    [
      'names without resources',
      '- level: None\n  resources: [{resourceNames: [a]}]',
      'rules[0].resources.resourceNames: Invalid value: ["a"]: using resourceNames requires at least one resource',
    ],
    [
      'both kinds of requests',
      '- level: None\n  namespaces: [a]\n  nonResourceURLs: ["/a"]',
      'rules[0].nonResourceURLs: Invalid value: ["/a"]: rules cannot apply to both regular resources and non-resource URLs',
    ],
  ])('rejects %s', (_, rule, message) => {
    expect(refusal(`${HEAD}rules:\n${rule}\n`)).toBe(message);
  });

  test('rejects a group that contains a version', () => {
    const rule = '- level: None\n  resources: [{group: rbac.authorization.k8s.io/v1beta1}]';
    expect(refusal(`${HEAD}rules:\n${rule}\n`)).toMatch(
      /^rules\[0\]\.resources\.group: Invalid value: "rbac\.authorization\.k8s\.io\/v1beta1": a lowercase RFC 1123 subdomain/,
    );
  });
});

import { expect, test } from 'vitest';
import { encodeEvent, encodeEventList } from './event.ts';
import { legacyLine } from './legacy-line.ts';
import { anEvent } from './testing/an-event.ts';

test('encodes an event like upstream: field order, escapes, sorted annotations', () => {
  const event = anEvent({
    level: 'RequestResponse',
    stage: 'ResponseComplete',
    objectRef: { resource: 'configmaps', namespace: 'default', name: 'c1', apiVersion: 'v1' },
    impersonatedUser: { username: 'amy', groups: ['g1'] },
    impersonationConstraint: 'impersonate:user-info',
    responseStatus: { metadata: {}, code: 201 },
    requestObject: '{"data":{"a":"\\u003cb\\u003e"}}',
    responseObject: '{}',
    annotations: new Map([
      ['b', '<1>'],
      ['__proto__', '2'],
    ]),
  });
  expect(encodeEvent(event)).toBe(
    '{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"id-01","stage":"ResponseComplete","requestURI":"/version?a=\\u003c","verb":"get","user":{"username":"admin","groups":["system:masters"]},"impersonatedUser":{"username":"amy","groups":["g1"]},"authenticationMetadata":{"impersonationConstraint":"impersonate:user-info"},"sourceIPs":["127.0.0.1"],"userAgent":"probe/1","objectRef":{"resource":"configmaps","namespace":"default","name":"c1","apiVersion":"v1"},"responseStatus":{"metadata":{},"code":201},"requestObject":{"data":{"a":"\\u003cb\\u003e"}},"responseObject":{},"requestReceivedTimestamp":"2026-11-21T17:41:12.080000Z","stageTimestamp":"2026-11-21T17:41:12.090000Z","annotations":{"__proto__":"2","b":"\\u003c1\\u003e"}}',
  );
});

test('omits absent fields, and repeats no kind in a list', () => {
  const event = anEvent({ sourceIPs: [], userAgent: '', user: {} });
  const item =
    '{"level":"Metadata","auditID":"id-01","stage":"RequestReceived","requestURI":"/version?a=\\u003c","verb":"get","user":{},"requestReceivedTimestamp":"2026-11-21T17:41:12.080000Z","stageTimestamp":"2026-11-21T17:41:12.090000Z"}';
  expect(encodeEventList([event, event])).toBe(
    `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[${item},${item}]}`,
  );
});

test.each([
  [
    'who is known',
    anEvent({ objectRef: { namespace: 'default' }, responseStatus: { metadata: {}, code: 200 } }),
    '2026-11-21T17:41:12.08Z AUDIT: id="id-01" stage="RequestReceived" ip="127.0.0.1" method="get" user="admin" groups="\\"system:masters\\"" as="<self>" asgroups="<lookup>" user-agent="probe/1" namespace="default" uri="/version?a=<" response="200"',
  ],
  [
    'nobody',
    anEvent({ user: {}, sourceIPs: [], userAgent: '' }),
    '2026-11-21T17:41:12.08Z AUDIT: id="id-01" stage="RequestReceived" ip="<unknown>" method="get" user="<none>" groups="<none>" as="<self>" asgroups="<lookup>" user-agent="" namespace="<none>" uri="/version?a=<" response="<deferred>"',
  ],
  [
    'someone else',
    anEvent({ impersonatedUser: { username: 'amy', groups: ['a', 'b'] }, userAgent: 'x\ny' }),
    '2026-11-21T17:41:12.08Z AUDIT: id="id-01" stage="RequestReceived" ip="127.0.0.1" method="get" user="admin" groups="\\"system:masters\\"" as="amy" asgroups="\\"a\\",\\"b\\"" user-agent="x\\ny" namespace="<none>" uri="/version?a=<" response="<deferred>"',
  ],
])('formats the legacy line of %s', (_, event, line) => {
  expect(legacyLine(event)).toBe(line);
});

import type { AuditEvent } from '../event.ts';
import type { AuditSink } from '../sink.ts';

/** Returns an event for tests. */
export const anEvent = (more: Partial<AuditEvent> = {}): AuditEvent => ({
  level: 'Metadata',
  auditID: 'id-01',
  stage: 'RequestReceived',
  requestURI: '/version?a=<',
  verb: 'get',
  user: { username: 'admin', groups: ['system:masters'] },
  sourceIPs: ['127.0.0.1'],
  userAgent: 'probe/1',
  requestReceived: Date.parse('2026-11-21T17:41:12.080Z'),
  staged: Date.parse('2026-11-21T17:41:12.090Z'),
  annotations: new Map(),
  ...more,
});

/** Returns a sink that keeps its events. `answer` returns whether it succeeds. */
export function keepingSink(answer: () => Promise<boolean> = async () => true) {
  const batches: (readonly AuditEvent[])[] = [];
  const sink: AuditSink = {
    process: (events) => {
      batches.push(events);
      return answer();
    },
    flush: async () => {},
    close: async () => {},
  };
  return { sink, batches, ids: () => batches.map((batch) => batch.map(({ auditID }) => auditID).join()) };
}

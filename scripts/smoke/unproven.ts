/**
 * Facts that only an account can prove and that no check here covers. Each has the way to verify it in parentheses. docs/deploy.md has the
 * same list under "Not proven".
 */
export const UNPROVEN: readonly string[] = [
  'web-function: whether the front door, and the names of its metrics, are as expected (-c frontDoor=web-function, then an alarm)',
  'client certificates: whether CloudFront verifies them in front of a function URL, where a function at the edge sets the Host header (-c domain=… -c clientAuthority=…)',
  'watchMemory: whether CloudFront sends watches to the second function (-c domain=… -c watchMemory=256, then the invocations of both)',
  'watches: whether one lasts as long as docs/deploy.md says, and how long a function runs on after its client is gone (kubectl get pods -w, and a clock)',
  'Failures: whether the alarm counts a function that fails (the fields of platform.report in its log group)',
  'rights: whether each role has all that it needs beyond these checks, and KMS serves it through DynamoDB (AccessDenied in CloudTrail)',
  'firewall: whether WAF blocks (-c webAcl=…)',
  'other services: Firehose, Budgets and X-Ray, and Secrets Manager under load (-c auditFirehose=…, -c monthlyBudget=…, -c tracing=xray)',
  'load: cold starts on arm64, and throttled partitions of the table (the dashboard, -c dashboard=true)',
  'restore: whether DynamoDB restores a table to a point in time as expected (the steps of docs/deploy.md)',
  'nodes: whether one joins (docs/nodes.md)',
  'billing: whether an idle month, and a watch, cost what npm run cost says (the bill)',
];

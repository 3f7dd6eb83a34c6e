/** Facts of a deployment that no check here shows; docs/deploy.md names them too. */
export const UNPROVEN: readonly string[] = [
  'web-function: whether the front door and the names of its metrics are as expected (-c frontDoor=web-function, then an alarm)',
  'client certificates: whether CloudFront verifies them before a function URL (-c domain=… -c clientAuthority=…)',
  'Failures: whether the alarm counts a function that fails (fields of platform.report in its log group)',
  'watches: whether one lasts as long as docs/deploy.md says (kubectl get pods -w, and a clock)',
  'billing: whether an idle month costs what npm run cost says (the bill)',
];

import { VpcOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Construct } from 'constructs';
import { defined } from '#lib/machinery/defined.ts';
import type { Context } from '../context.ts';
import { dataKeyAccess, tableAccess } from './access.ts';
import type { Channel } from './channel.ts';
import type { DeclaredFile } from './code.ts';
import { Edge, hostOrigin, ORIGIN_SILENCE, OriginSecret, secretHeader } from './edge.ts';
import { containerDoor } from './front-door/container.ts';
import type { Door, DoorProps } from './front-door/door.ts';
import { functionUrlDoor } from './front-door/function-url.ts';
import { restDoor } from './front-door/rest.ts';
import { webFunctionDoor } from './front-door/web-function.ts';
import type { Store } from './store.ts';
import type { Users } from './users/users.ts';

/** The parts of the stack that the API server needs. */
export interface ApiProps {
  readonly context: Context;
  readonly store: Store;
  readonly users: Pick<Users, 'names' | 'roles' | 'reviews'>;
  /** The WebSocket API of nodes. Undefined if no nodes connect. */
  readonly channel?: Pick<Channel, 'environment' | 'access'> | undefined;
  readonly options: DeclaredFile;
}

/** The parts of the table that every API server uses. */
const PARTS = ['objects', 'identity', 'watchSlots', 'rates'] as const;

/** The API server with the front door that the context selects. */
export class Api extends Construct implements Door {
  readonly endpoint: string;
  readonly role: Door['role'];
  readonly logGroup: Door['logGroup'];
  readonly faults: Door['faults'];
  readonly throttles?: Exclude<Door['throttles'], undefined>;

  constructor(scope: Construct, id: string, { context, store, users, channel, options }: ApiProps) {
    super(scope, id);
    const { frontDoor, domain, clientAuthority } = context;
    const secret =
      clientAuthority === undefined || frontDoor === 'rest' ? undefined : new OriginSecret(this, 'OriginSecret');
    const environment = {
      DAVIT_TABLE: store.table.tableName,
      DAVIT_KMS_KEY: store.key.keyArn,
      DAVIT_FRONT_DOOR: frontDoor,
      DAVIT_CLUSTER_ID: context.clusterId,
      DAVIT_ADMIN: context.admin,
      DAVIT_RECONCILERS: users.names,
      DAVIT_RECONCILER_ROLES: users.roles,
      DAVIT_REVIEWS: users.reviews,
      ...channel?.environment,
      ...(domain === undefined ? {} : { DAVIT_ENDPOINT: `https://${domain}` }),
      ...(secret === undefined ? {} : { DAVIT_ORIGIN_SECRET: secret.text }),
      ...(hasEdge(context) ? { DAVIT_IDLE_SECONDS: String(ORIGIN_SILENCE.toSeconds()) } : {}),
    };
    const door = openDoor(
      this,
      {
        context,
        environment,
        options,
        access: [
          ...tableAccess(store, ...PARTS, ...(channel === undefined ? [] : (['channel'] as const))),
          dataKeyAccess(store, context.clusterId),
          ...(channel?.access ?? []),
        ],
      },
      secret,
    );
    this.endpoint = door.endpoint;
    this.role = door.role;
    this.logGroup = door.logGroup;
    this.faults = door.faults;
    if (door.throttles !== undefined) this.throttles = door.throttles;
  }
}

/** Whether CloudFront is in front of the door. CloudFront cuts silent streams sooner than any other hop. */
const hasEdge = ({ frontDoor, domain }: Context): boolean =>
  frontDoor === 'container' || (frontDoor !== 'rest' && domain !== undefined);

function openDoor(scope: Construct, props: DoorProps, secret: OriginSecret | undefined): Door {
  switch (props.context.frontDoor) {
    case 'function-url':
      return withEdge(scope, props.context, functionUrlDoor(scope, props), secret);
    case 'web-function':
      return withEdge(scope, props.context, webFunctionDoor(scope, props), secret);
    case 'rest':
      return restDoor(scope, props);
    case 'container': {
      const { balancer, ...door } = containerDoor(scope, props);
      const settings = { readTimeout: ORIGIN_SILENCE, httpPort: 80, ...secretHeader(secret) };
      const origin = VpcOrigin.withApplicationLoadBalancer(balancer, settings);
      return { ...door, endpoint: new Edge(scope, 'Edge', { context: props.context, origin }).endpoint };
    }
    default:
      return props.context.frontDoor satisfies never;
  }
}

/** Returns the door itself, or CloudFront in front of it if it has a domain. */
function withEdge(scope: Construct, context: Context, door: Door, secret: OriginSecret | undefined): Door {
  if (!hasEdge(context)) return door;
  const originHost = door.endpoint.slice('https://'.length);
  const watchHost = door.watchEndpoint?.slice('https://'.length);
  const origin = hostOrigin(originHost, secret);
  const edge = new Edge(scope, 'Edge', { context, origin, originHost, ...defined({ watchHost }) });
  return { ...door, endpoint: edge.endpoint };
}

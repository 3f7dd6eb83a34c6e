// Written by `npm run generate`.
import type { typed } from '#lib/machinery/json-value.ts';
import type { TypedLocalObjectReference } from './core.v1.ts';
import type { Condition, LabelSelector, ListMeta, ObjectMeta } from './meta.v1.ts';
import type { IntOrString } from './scalars.ts';

/** The backend of requests to one path. */
export type HTTPIngressPath = {
  [typed]?: 'networking.v1.HTTPIngressPath';
  path?: string;
  pathType: string | null;
  backend: IngressBackend;
};

/** The backends of requests, by path. */
export type HTTPIngressRuleValue = {
  [typed]?: 'networking.v1.HTTPIngressRuleValue';
  paths: HTTPIngressPath[] | null;
};

/** An address that belongs to an object; its name is the address. Services' cluster IPs have one each. */
export type IPAddress = {
  [typed]?: 'networking.v1.IPAddress';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: IPAddressSpec;
};

/** A list of objects of kind IPAddress. */
export type IPAddressList = {
  [typed]?: 'networking.v1.IPAddressList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: IPAddress[] | null;
};

/** To what an address belongs. */
export type IPAddressSpec = {
  [typed]?: 'networking.v1.IPAddressSpec';
  parentRef?: ParentReference;
};

/** A network, with holes. */
export type IPBlock = {
  [typed]?: 'networking.v1.IPBlock';
  cidr: string;
  except?: string[];
};

/** Leads HTTP from outside to Services, by host and path. */
export type Ingress = {
  [typed]?: 'networking.v1.Ingress';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: IngressSpec;
  status: IngressStatus;
};

/** The destination of requests: a Service or another object. */
export type IngressBackend = {
  [typed]?: 'networking.v1.IngressBackend';
  service?: IngressServiceBackend;
  resource?: TypedLocalObjectReference;
};

/** A kind of Ingress, served by one controller. The annotation ingressclass.kubernetes.io/is-default-class makes it the default. */
export type IngressClass = {
  [typed]?: 'networking.v1.IngressClass';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: IngressClassSpec;
};

/** A list of objects of kind IngressClass. */
export type IngressClassList = {
  [typed]?: 'networking.v1.IngressClassList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: IngressClass[] | null;
};

/** Names an object with settings. */
export type IngressClassParametersReference = {
  [typed]?: 'networking.v1.IngressClassParametersReference';
  apiGroup?: string;
  kind: string;
  name: string;
  scope: string | null;
  namespace?: string;
};

/** The controller that serves the class. */
export type IngressClassSpec = {
  [typed]?: 'networking.v1.IngressClassSpec';
  controller?: string;
  parameters?: IngressClassParametersReference;
};

/** A list of objects of kind Ingress. */
export type IngressList = {
  [typed]?: 'networking.v1.IngressList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: Ingress[] | null;
};

/** One entrance of a load balancer. */
export type IngressLoadBalancerIngress = {
  [typed]?: 'networking.v1.IngressLoadBalancerIngress';
  ip?: string;
  hostname?: string;
  ports?: IngressPortStatus[];
};

/** A load balancer. */
export type IngressLoadBalancerStatus = {
  [typed]?: 'networking.v1.IngressLoadBalancerStatus';
  ingress?: IngressLoadBalancerIngress[];
};

/** One port of a load balancer. */
export type IngressPortStatus = {
  [typed]?: 'networking.v1.IngressPortStatus';
  port: number;
  protocol: string;
  error?: string;
};

/** The backends of requests to one host. */
export type IngressRule = {
  [typed]?: 'networking.v1.IngressRule';
  host?: string;
  http?: HTTPIngressRuleValue;
};

/** How requests to the host are told apart. */
export type IngressRuleValue = {
  [typed]?: 'networking.v1.IngressRuleValue';
  http?: HTTPIngressRuleValue;
};

/** A port of a Service. */
export type IngressServiceBackend = {
  [typed]?: 'networking.v1.IngressServiceBackend';
  name: string;
  port: ServiceBackendPort;
};

/** The requests of an Ingress, and the Services they go to. */
export type IngressSpec = {
  [typed]?: 'networking.v1.IngressSpec';
  ingressClassName?: string;
  defaultBackend?: IngressBackend;
  tls?: IngressTLS[];
  rules?: IngressRule[];
};

/** The last observed status of an Ingress. */
export type IngressStatus = {
  [typed]?: 'networking.v1.IngressStatus';
  loadBalancer: IngressLoadBalancerStatus;
};

/** A certificate and its hosts. */
export type IngressTLS = {
  [typed]?: 'networking.v1.IngressTLS';
  hosts?: string[];
  secretName?: string;
};

/** Says what traffic pods let in and out. Pods that no policy takes let everything through. */
export type NetworkPolicy = {
  [typed]?: 'networking.v1.NetworkPolicy';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: NetworkPolicySpec;
};

/** Traffic that is let out: to one of the peers, to one of the ports. */
export type NetworkPolicyEgressRule = {
  [typed]?: 'networking.v1.NetworkPolicyEgressRule';
  ports?: NetworkPolicyPort[];
  to?: NetworkPolicyPeer[];
};

/** Traffic that is let in: from one of the peers, to one of the ports. */
export type NetworkPolicyIngressRule = {
  [typed]?: 'networking.v1.NetworkPolicyIngressRule';
  ports?: NetworkPolicyPort[];
  from?: NetworkPolicyPeer[];
};

/** A list of objects of kind NetworkPolicy. */
export type NetworkPolicyList = {
  [typed]?: 'networking.v1.NetworkPolicyList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: NetworkPolicy[] | null;
};

/** Pods, or a network. */
export type NetworkPolicyPeer = {
  [typed]?: 'networking.v1.NetworkPolicyPeer';
  podSelector?: LabelSelector;
  namespaceSelector?: LabelSelector;
  ipBlock?: IPBlock;
};

/** A port or a range of ports. */
export type NetworkPolicyPort = {
  [typed]?: 'networking.v1.NetworkPolicyPort';
  protocol?: string;
  port?: IntOrString;
  endPort?: number;
};

/** The pods that the policy applies to, and the traffic it allows. All policies of a pod add up. */
export type NetworkPolicySpec = {
  [typed]?: 'networking.v1.NetworkPolicySpec';
  podSelector: LabelSelector;
  ingress?: NetworkPolicyIngressRule[];
  egress?: NetworkPolicyEgressRule[];
  policyTypes?: string[];
};

/** Names the object that has an address. */
export type ParentReference = {
  [typed]?: 'networking.v1.ParentReference';
  group?: string;
  resource?: string;
  namespace?: string;
  name?: string;
};

/** A port, by name or by number. */
export type ServiceBackendPort = {
  [typed]?: 'networking.v1.ServiceBackendPort';
  name?: string;
  number?: number;
};

/** Networks from which Services get their cluster IPs. */
export type ServiceCIDR = {
  [typed]?: 'networking.v1.ServiceCIDR';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: ServiceCIDRSpec;
  status: ServiceCIDRStatus;
};

/** A list of objects of kind ServiceCIDR. */
export type ServiceCIDRList = {
  [typed]?: 'networking.v1.ServiceCIDRList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: ServiceCIDR[] | null;
};

/** The networks. */
export type ServiceCIDRSpec = {
  [typed]?: 'networking.v1.ServiceCIDRSpec';
  cidrs?: string[];
};

/** The last observed status of a ServiceCIDR. */
export type ServiceCIDRStatus = {
  [typed]?: 'networking.v1.ServiceCIDRStatus';
  conditions?: Condition[];
};

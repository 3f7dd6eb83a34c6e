// Written by `npm run generate`.
import type { Json, typed } from '#lib/machinery/json-value.ts';
import type { NodeSelector } from './core.v1.ts';
import type { Condition, ListMeta, ObjectMeta } from './meta.v1.ts';
import type { Int64, Quantity, Time } from './scalars.ts';

/** A driver's report of one device. */
export type AllocatedDeviceStatus = {
  [typed]?: 'resource.v1.AllocatedDeviceStatus';
  driver: string;
  pool: string;
  device: string;
  shareID?: string;
  conditions: Condition[] | null;
  data?: Json;
  networkData?: NetworkDeviceData;
};

/** The devices that a claim has been given. */
export type AllocationResult = {
  [typed]?: 'resource.v1.AllocationResult';
  devices: DeviceAllocationResult;
  nodeSelector?: NodeSelector;
  allocationTimestamp?: Time;
};

/** A condition on devices as an expression. */
export type CELDeviceSelector = {
  [typed]?: 'resource.v1.CELDeviceSelector';
  expression: string;
};

/** How claims can take parts of a capacity: validValues or validRange, or any amount. */
export type CapacityRequestPolicy = {
  [typed]?: 'resource.v1.CapacityRequestPolicy';
  default: Quantity | null;
  validValues?: Quantity[];
  validRange?: CapacityRequestPolicyRange;
};

/** A range of amounts. */
export type CapacityRequestPolicyRange = {
  [typed]?: 'resource.v1.CapacityRequestPolicyRange';
  min?: Quantity;
  max?: Quantity;
  step?: Quantity;
};

/** How much of a device's capacities is asked for. */
export type CapacityRequirements = {
  [typed]?: 'resource.v1.CapacityRequirements';
  requests?: Record<string, Quantity>;
};

/** An amount. */
export type Counter = {
  [typed]?: 'resource.v1.Counter';
  value: Quantity;
};

/** Counters that devices use up together. */
export type CounterSet = {
  [typed]?: 'resource.v1.CounterSet';
  name: string;
  counters?: Record<string, Counter>;
};

/** One device, or a part of one. */
export type Device = {
  [typed]?: 'resource.v1.Device';
  name: string;
  attributes?: Record<string, DeviceAttribute>;
  capacity?: Record<string, DeviceCapacity>;
  consumesCounters?: DeviceCounterConsumption[];
  nodeName?: string;
  nodeSelector?: NodeSelector;
  allNodes?: boolean;
  taints?: DeviceTaint[];
  bindsToNode?: boolean;
  bindingConditions?: string[];
  bindingFailureConditions?: string[];
  allowMultipleAllocations?: boolean;
  nodeAllocatableResourceMappings?: Record<string, NodeAllocatableResourceMapping>;
};

/** Settings for some of the requests, and where they come from. */
export type DeviceAllocationConfiguration = {
  [typed]?: 'resource.v1.DeviceAllocationConfiguration';
  source: string;
  requests?: string[];
  opaque?: OpaqueDeviceConfiguration;
};

/** Devices and their settings. */
export type DeviceAllocationResult = {
  [typed]?: 'resource.v1.DeviceAllocationResult';
  results?: DeviceRequestAllocationResult[];
  config?: DeviceAllocationConfiguration[];
};

/** The value of an attribute: exactly one of the fields. */
export type DeviceAttribute = {
  [typed]?: 'resource.v1.DeviceAttribute';
  int?: Int64;
  bool?: boolean;
  string?: string;
  version?: string;
  ints?: Int64[];
  bools?: boolean[];
  strings?: string[];
  versions?: string[];
};

/** How much a device has of something. */
export type DeviceCapacity = {
  [typed]?: 'resource.v1.DeviceCapacity';
  value: Quantity;
  requestPolicy?: CapacityRequestPolicy;
};

/** The devices that are asked for, and what they must have in common. */
export type DeviceClaim = {
  [typed]?: 'resource.v1.DeviceClaim';
  requests: DeviceRequest[] | null;
  constraints?: DeviceConstraint[];
  config?: DeviceClaimConfiguration[];
};

/** Settings for some of the requests. */
export type DeviceClaimConfiguration = {
  [typed]?: 'resource.v1.DeviceClaimConfiguration';
  requests?: string[];
  opaque?: OpaqueDeviceConfiguration;
};

/** A kind of devices, chosen by the administrator, which claims ask for by name. */
export type DeviceClass = {
  [typed]?: 'resource.v1.DeviceClass';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: DeviceClassSpec;
};

/** Settings of a class. */
export type DeviceClassConfiguration = {
  [typed]?: 'resource.v1.DeviceClassConfiguration';
  opaque?: OpaqueDeviceConfiguration;
};

/** A list of objects of kind DeviceClass. */
export type DeviceClassList = {
  [typed]?: 'resource.v1.DeviceClassList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: DeviceClass[] | null;
};

/** The devices of a class, and how they are set up. */
export type DeviceClassSpec = {
  [typed]?: 'resource.v1.DeviceClassSpec';
  selectors?: DeviceSelector[];
  config?: DeviceClassConfiguration[];
  extendedResourceName?: string;
};

/** Settings for a driver. */
export type DeviceConfiguration = {
  [typed]?: 'resource.v1.DeviceConfiguration';
  opaque?: OpaqueDeviceConfiguration;
};

/** A property that devices must, or must not, have in common. */
export type DeviceConstraint = {
  [typed]?: 'resource.v1.DeviceConstraint';
  requests?: string[];
  matchAttribute?: string;
  distinctAttribute?: string;
};

/** The share that a device takes of shared counters. */
export type DeviceCounterConsumption = {
  [typed]?: 'resource.v1.DeviceCounterConsumption';
  counterSet: string;
  counters?: Record<string, Counter>;
};

/** One request: exactly, or firstAvailable. */
export type DeviceRequest = {
  [typed]?: 'resource.v1.DeviceRequest';
  name: string;
  exactly?: ExactDeviceRequest;
  firstAvailable?: DeviceSubRequest[];
};

/** One device, given to one request. */
export type DeviceRequestAllocationResult = {
  [typed]?: 'resource.v1.DeviceRequestAllocationResult';
  request: string;
  driver: string;
  pool: string;
  device: string;
  adminAccess?: boolean;
  tolerations?: DeviceToleration[];
  bindingConditions?: string[];
  bindingFailureConditions?: string[];
  shareID?: string;
  consumedCapacity?: Record<string, Quantity>;
};

/** A condition on devices. */
export type DeviceSelector = {
  [typed]?: 'resource.v1.DeviceSelector';
  cel?: CELDeviceSelector;
};

/** One of several alternatives. */
export type DeviceSubRequest = {
  [typed]?: 'resource.v1.DeviceSubRequest';
  name: string;
  deviceClassName: string;
  selectors?: DeviceSelector[];
  allocationMode?: string;
  count?: Int64;
  tolerations?: DeviceToleration[];
  capacity?: CapacityRequirements;
};

/** Keeps claims away that do not tolerate it. */
export type DeviceTaint = {
  [typed]?: 'resource.v1.DeviceTaint';
  key: string;
  value?: string;
  effect: string;
  timeAdded?: Time;
};

/** Lets a claim use devices with the taints that it fits. */
export type DeviceToleration = {
  [typed]?: 'resource.v1.DeviceToleration';
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: Int64;
};

/** Devices that are asked for. */
export type ExactDeviceRequest = {
  [typed]?: 'resource.v1.ExactDeviceRequest';
  deviceClassName: string;
  selectors?: DeviceSelector[];
  allocationMode?: string;
  count?: Int64;
  adminAccess?: boolean;
  tolerations?: DeviceToleration[];
  capacity?: CapacityRequirements;
};

/** The interface and addresses of a network device. */
export type NetworkDeviceData = {
  [typed]?: 'resource.v1.NetworkDeviceData';
  interfaceName?: string;
  ips?: string[];
  hardwareAddress?: string;
};

/** How a device's use becomes an amount of a node's resource. */
export type NodeAllocatableResourceMapping = {
  [typed]?: 'resource.v1.NodeAllocatableResourceMapping';
  capacityKey?: string;
  allocationMultiplier?: Quantity;
};

/** Settings that only a driver understands. */
export type OpaqueDeviceConfiguration = {
  [typed]?: 'resource.v1.OpaqueDeviceConfiguration';
  driver: string;
  parameters: Json;
};

/** Asks for devices, which pods that name it then use. */
export type ResourceClaim = {
  [typed]?: 'resource.v1.ResourceClaim';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: ResourceClaimSpec;
  status: ResourceClaimStatus;
};

/** The user of a claim, a pod as a rule. */
export type ResourceClaimConsumerReference = {
  [typed]?: 'resource.v1.ResourceClaimConsumerReference';
  apiGroup?: string;
  resource: string;
  name: string;
  uid: string;
};

/** A list of objects of kind ResourceClaim. */
export type ResourceClaimList = {
  [typed]?: 'resource.v1.ResourceClaimList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: ResourceClaim[] | null;
};

/** The devices that are asked for. It cannot be changed. */
export type ResourceClaimSpec = {
  [typed]?: 'resource.v1.ResourceClaimSpec';
  devices: DeviceClaim;
};

/** The last observed status of a claim. */
export type ResourceClaimStatus = {
  [typed]?: 'resource.v1.ResourceClaimStatus';
  allocation?: AllocationResult;
  reservedFor?: ResourceClaimConsumerReference[];
  devices?: AllocatedDeviceStatus[];
};

/** A template of claims that are made for single pods. */
export type ResourceClaimTemplate = {
  [typed]?: 'resource.v1.ResourceClaimTemplate';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: ResourceClaimTemplateSpec;
};

/** A list of objects of kind ResourceClaimTemplate. */
export type ResourceClaimTemplateList = {
  [typed]?: 'resource.v1.ResourceClaimTemplateList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: ResourceClaimTemplate[] | null;
};

/** The metadata and spec of claims that are made from this. It cannot be changed. */
export type ResourceClaimTemplateSpec = {
  [typed]?: 'resource.v1.ResourceClaimTemplateSpec';
  metadata: ObjectMeta;
  spec: ResourceClaimSpec;
};

/** A set of devices that a driver looks after as one. */
export type ResourcePool = {
  [typed]?: 'resource.v1.ResourcePool';
  name: string;
  generation: Int64;
  resourceSliceCount: Int64;
};

/** Devices that a driver offers on a node or in the network; all slices of a pool together list its devices. */
export type ResourceSlice = {
  [typed]?: 'resource.v1.ResourceSlice';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: ResourceSliceSpec;
};

/** A list of objects of kind ResourceSlice. */
export type ResourceSliceList = {
  [typed]?: 'resource.v1.ResourceSliceList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: ResourceSlice[] | null;
};

/** Devices of one pool, and the nodes that can reach them. */
export type ResourceSliceSpec = {
  [typed]?: 'resource.v1.ResourceSliceSpec';
  driver: string;
  pool: ResourcePool;
  nodeName?: string;
  nodeSelector?: NodeSelector;
  allNodes?: boolean;
  devices?: Device[];
  perDeviceNodeSelection?: boolean;
  sharedCounters?: CounterSet[];
};

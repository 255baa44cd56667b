#!/bin/sh
# What Amazon RDS says of an instance, in the form that `facts` of a plan reads.
# Usage: rds.sh INSTANCE. Needs jq, and the AWS CLI with a region and credentials that may describe the instance
# (rds:DescribeDBInstances, rds:DescribeEvents, ec2:DescribeInstanceTypes, cloudwatch:GetMetricStatistics).
set -eu
instance=$1
now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
since=$(date -u -d '20 minutes ago' +%Y-%m-%dT%H:%M:%SZ)

described=$(aws rds describe-db-instances --db-instance-identifier "$instance" --output json)
class=$(printf '%s' "$described" | jq -r '.DBInstances[0].DBInstanceClass')
# A class of RDS is a type of EC2 with a prefix; a few have no such type.
type=$(aws ec2 describe-instance-types --instance-types "${class#db.}" --output json 2>/dev/null || echo '{}')
events=$(aws rds describe-events --source-type db-instance --source-identifier "$instance" --duration 120 --output json)

balance() {
    aws cloudwatch get-metric-statistics --namespace AWS/RDS --metric-name "$1" --statistics Minimum --period 60 \
        --dimensions "Name=DBInstanceIdentifier,Value=$instance" --start-time "$since" --end-time "$now" --output json |
        jq --arg name "$1" --arg unit "$2" '[.Datapoints | sort_by(.Timestamp) | last | select(. != null)
            | { name: $name, unit: $unit, value: .Minimum, at: .Timestamp }]'
}
balances=$({ balance CPUCreditBalance credits; balance BurstBalance %; balance EBSIOBalance% %; balance EBSByteBalance% %; } | jq -s add)

jq -n --argjson described "$described" --argjson type "$type" --argjson events "$events" --argjson balances "$balances" '
    def without_nulls: with_entries(select(.value != null));
    $described.DBInstances[0] as $db
    | ($type.InstanceTypes // [])[0] as $ec2
    | {
        service: "Amazon RDS",
        class: $db.DBInstanceClass,
        vcpu: $ec2.VCpuInfo.DefaultVCpus,
        memory_bytes: (if $ec2 then $ec2.MemoryInfo.SizeInMiB * 1048576 else null end),
        storage: ({
            class: $db.StorageType,
            size_bytes: ($db.AllocatedStorage * 1073741824),
            iops_limit: $db.Iops,
            throughput_limit_bytes_per_s: (if $db.StorageThroughput then $db.StorageThroughput * 1048576 else null end)
        } | without_nulls),
        facts: {
            "Multi-AZ": (if $db.MultiAZ then "yes" else "no" end),
            "engine": "\($db.Engine) \($db.EngineVersion)",
            "availability zone": $db.AvailabilityZone
        } | without_nulls,
        balances: $balances,
        events: [$events.Events[] | {
            at: .Date,
            message: .Message,
            kind: ((.EventCategories // [])[0] as $category
                | { "failover": "failover", "maintenance": "maintenance", "backup": "backup", "availability": "restart",
                    "configuration change": "scaling" }[$category // ""] // "other")
        }]
    } | without_nulls'
